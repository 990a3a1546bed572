#include "engine/worker/judge/module_turns.hpp"

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/baseline.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kIdle = 0.5e-3;  // seconds within which a device that nobody uses answers
constexpr double kDrained = 1;    // seconds that what a paused candidate left there is waited for

}  // namespace

ModuleTurns::ModuleTurns(PreparedTask& prepared, PreparedCase& one, RunnerProcess& candidate,
                         RunnerCaller& caller, TimedSlots& slots, const SamplingLimits& limits)
    : prepared_(prepared),
      case_(one),
      candidate_(candidate),
      caller_(caller),
      slots_(slots),
      limits_(limits),
      baseline_(prepared, one) {}

Sampling ModuleTurns::take() {
  TurnTaker candidate{caller_, slots_, [this](const std::vector<BatchPair>& pairs) {
                        return median(
                            prepared_.backend().weigh(pairs, candidate_.trusted_overhead()).samples);
                      }};
  TurnTaker baseline{
      baseline_.caller(), baseline_.slots(),
      [this](const std::vector<BatchPair>& pairs) { return median(baseline_.weigh(pairs).samples); },
      [this] { return pause_candidate(); }};
  turns_ = take_turns(candidate, baseline, limits_, prepared_.random(), profiler::wall_seconds);
  return turns_.candidate;
}

/// With what it left on the device done.
std::shared_ptr<void> ModuleTurns::pause_candidate() const {
  auto pause = std::make_shared<RunnerProcess::Pause>(candidate_);
  const double begin = profiler::wall_seconds();
  while (prepared_.backend().settle() > kIdle && profiler::wall_seconds() - begin < kDrained) {
  }
  return pause;
}

bool ModuleTurns::enter(CaseTiming& measured) {
  const auto before = case_.baseline;
  const bool none = turns_.baseline_over || turns_.baseline_seconds.empty();
  if (none || baseline_.disturbed(baseline_.weigh(turns_.baseline))) {
    if (!before || turns_.candidate.pairs.empty()) return false;
    measured.baseline_cold = *before;
    return true;
  }
  const bool enough = turns_.candidate.end == SamplingEnd::enough;
  measured.cold = to_duration(turns_.candidate_seconds, enough);
  measured.baseline_cold = to_duration(turns_.baseline_seconds, enough);
  measured.in_turns = true;
  if (before) measured.baseline_drift = measured.baseline_cold.median / before->median;
  case_.baseline = measured.baseline_cold;
  case_.reference_seconds = measured.baseline_cold.median;
  return true;
}

}  // namespace ridgeline::judge
