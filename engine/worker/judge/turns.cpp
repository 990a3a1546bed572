#include "engine/worker/judge/turns.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ridgeline::judge {
namespace {

using Taken = Sampler::Taken;

constexpr double kTurnShare =
    0.5;                        // of the cap: timed seconds that a side takes in its turn, one pair at least
constexpr double kNear = 1.05;  // times the least turn
constexpr std::size_t kEnoughTurns = 4;  // of each side, near its least
constexpr double kElapsedShare = 6;      // of the limit for one side that is timed by itself
constexpr std::size_t kSomeTurns = 3;    // that long calls take too, within the limits' patience

double seconds_a_call(const std::vector<BatchPair>& pairs, const Overhead& overhead) {
  std::vector<double> quotients;
  for (const auto& pair : pairs) quotients.push_back(quotient(pair, Clock::wall, overhead));
  return median(quotients);
}

/// A side, and what its turns have come to.
class Side {
 public:
  Side(TurnTaker& taker, const SamplingLimits& limits, Random& random)
      : taker_(taker), limits_(limits), sampler_(taker.caller, taker.keeper, limits, random) {}

  Taken turn() {
    const auto alone = taker_.begin();
    if (!warm_up()) return Taken::caller_over;
    std::vector<BatchPair> pairs;
    for (double timed = 0; pairs.empty() || timed < kTurnShare * limits_.cap_seconds;) {
      const auto taken = sampler_.take();
      if (taken != Taken::pair && taken != Taken::pilot) return taken;
      timed += sampler_.pair().twice.wall + sampler_.pair().single.wall;
      if (taken == Taken::pair) pairs.push_back(sampler_.pair());
    }
    turns.seconds.push_back(seconds_a_call(pairs, taker_.overhead));
    turns.pairs.insert(turns.pairs.end(), pairs.begin(), pairs.end());
    return Taken::pair;
  }

  bool enough() const { return undisturbed_turns(turns.seconds).size() >= kEnoughTurns; }
  bool disturbed() const {
    return turns.seconds.back() > kNear * *std::min_element(turns.seconds.begin(), turns.seconds.end());
  }

  TurnsOfOne turns;

 private:
  /// The other side's code and data are in the caches of the core. Of long calls that is no part to speak of.
  bool warm_up() {
    if (!turns.seconds.empty() && turns.seconds.back() > kTurnShare * limits_.cap_seconds) return true;
    return taker_.keeper.prepare(1, /*cold=*/true) && taker_.caller.call(0, 1).has_value();
  }

  TurnTaker& taker_;
  const SamplingLimits& limits_;
  Sampler sampler_;
};

}  // namespace

Turns take_turns(TurnTaker& candidate, TurnTaker& baseline, const SamplingLimits& limits, Random& random,
                 double (*now)(), const std::function<void()>& disturbed) {
  Side ours(candidate, limits, random), theirs(baseline, limits, random);
  const auto told = [&](SamplingEnd end, bool baseline_over = false) {
    return Turns{end, baseline_over, std::move(ours.turns), std::move(theirs.turns)};
  };
  const double begin = now();
  for (std::size_t round = 1;; ++round) {
    const bool ours_first = round % 2 == 0;
    for (auto* side : {ours_first ? &ours : &theirs, ours_first ? &theirs : &ours}) {
      const auto taken = side->turn();
      if (taken == Taken::pair) continue;
      return side == &ours ? told(end_for(taken)) : told(SamplingEnd::capped, /*baseline_over=*/true);
    }
    if (ours.enough() && theirs.enough()) return told(SamplingEnd::enough);
    const double elapsed = now() - begin;
    if (elapsed >= kElapsedShare * limits.elapsed_seconds &&
        (round >= kSomeTurns || elapsed >= limits.patience_seconds))
      return told(SamplingEnd::capped);
    if (ours.disturbed() || theirs.disturbed()) disturbed();
  }
}

std::vector<double> undisturbed_turns(const std::vector<double>& seconds) {
  std::vector<double> near;
  std::copy_if(seconds.begin(), seconds.end(), std::back_inserter(near), [](double one) { return one > 0; });
  if (near.empty()) return near;
  const double least = *std::min_element(near.begin(), near.end());
  std::erase_if(near, [&](double one) { return one > kNear * least; });
  return near;
}

}  // namespace ridgeline::judge
