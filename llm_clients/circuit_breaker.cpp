#include "llm_clients/circuit_breaker.hpp"

#include <algorithm>
#include <cmath>

namespace ridgeline::llm {
namespace {

constexpr int kFailuresInARow = 3;
constexpr double kShortestProbePause = 0.05;  // seconds; with a base of 0 it would probe without end
constexpr int kMostDoublings = 40;            // 2^40 times the shortest is over a century

// Bounded to about ten years, so that the sum with a time point cannot overflow.
std::chrono::steady_clock::duration pause_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(seconds, 3e8)));
}

}  // namespace

CircuitBreaker::Decision CircuitBreaker::decide(Time now) const {
  switch (state_) {
    case State::closed:
      return Go{};
    case State::open:
      if (now >= until_) return Go{};
      return WaitUntil{until_};
    case State::probing:
      break;
  }
  return WaitForProbe{};
}

CircuitBreaker::Probe CircuitBreaker::begin_request(Time now) {
  if (state_ != State::open || now < until_) return Probe::none;
  state_ = State::probing;
  probe_ = static_cast<Probe>(static_cast<int>(probe_) + 1);
  return probe_;
}

bool CircuitBreaker::began(Probe probe) {
  // An answer that only begins has misled once; from then on only a complete one counts.
  if (!awaited(probe) || only_whole_) return false;
  state_ = State::closed;
  on_trial_ = true;
  return true;
}

void CircuitBreaker::succeeded() {
  // Also forgets the doubled pauses: the next outage begins with the shortest. An earlier probe may still be
  // under way, so the next one needs another number.
  const auto latest = probe_;
  *this = CircuitBreaker();
  probe_ = latest;
}

void CircuitBreaker::failed(Time now, Probe probe, const FailureHints& hints, const Pauses& pauses,
                            double random) {
  if (state_ == State::closed) {
    ++failures_;
    if (on_trial_ || hints.opens_at_once || hints.wait_s || failures_ >= kFailuresInARow)
      open(now, hints, pauses, random);
  } else if (awaited(probe)) {
    open(now, hints, pauses, random);
  } else if (state_ == State::open && hints.wait_s) {
    // The request was sent before the breaker opened, so its failure says nothing new. Only a wait that the
    // server asks for extends the pause.
    until_ = std::max(until_, now + pause_of(*hints.wait_s + random * pauses.base));
  }
}

void CircuitBreaker::open(Time now, const FailureHints& hints, const Pauses& pauses, double random) {
  // The shortest pause is also the base here, because 0 would stay 0 however often it doubled.
  const double doubled =
      std::max(pauses.base, kShortestProbePause) * std::exp2(std::min(pauses_, kMostDoublings));
  // At least half of the pause, so that many clients do not probe together, yet none probes at once.
  double seconds = std::min(pauses.longest, doubled) * (0.5 + 0.5 * random);
  if (hints.wait_s) seconds = std::max(seconds, *hints.wait_s + random * pauses.base);
  ++pauses_;
  until_ = now + pause_of(seconds);
  state_ = State::open;
  failures_ = 0;
  // This opening ends a trial, so the beginning that allowed it proved nothing.
  only_whole_ = only_whole_ || on_trial_;
  on_trial_ = false;
}

bool CircuitBreaker::abandoned(Probe probe) {
  if (!awaited(probe)) return false;
  // The pause is over already, so the next request becomes the probe at once.
  state_ = State::open;
  return true;
}

}  // namespace ridgeline::llm
