#include "engine/worker/judge/module_turns.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/worker/judge/baseline.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kIdle = 0.5e-3;  // seconds within which a device that nobody uses answers
constexpr double kDrained = 1;    // seconds that what a paused candidate left there is waited for

}  // namespace

ModuleTurns::ModuleTurns(PreparedTask& prepared, PreparedCase& one, RunnerProcess& candidate,
                         RunnerCaller& caller, TimedSlots& slots, const SamplingLimits& limits,
                         std::function<void()> elsewhere)
    : prepared_(prepared),
      case_(one),
      candidate_(candidate),
      caller_(caller),
      slots_(slots),
      limits_(limits),
      elsewhere_(std::move(elsewhere)),
      baseline_(prepared, one) {}

Sampling ModuleTurns::take() {
  const auto* runner = prepared_.reference_runner.get();
  TurnTaker candidate{caller_, slots_, candidate_.trusted_overhead()};
  TurnTaker baseline{baseline_.caller(), baseline_.slots(), runner ? runner->trusted_overhead() : Overhead{},
                     [this] { return pause_candidate(); }};
  turns_ = take_turns(candidate, baseline, limits_, prepared_.random(), profiler::wall_seconds, elsewhere_);
  return {turns_.end, pairs_of(undisturbed(turns_.candidate))};
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
  const auto ours = undisturbed(turns_.candidate), theirs = undisturbed(turns_.baseline);
  const bool none = turns_.baseline_over || ours.empty() || theirs.empty();
  if (none || baseline_.disturbed(baseline_.weigh(pairs_of(theirs)))) {
    if (!before || ours.empty()) return false;
    measured.baseline_cold = *before;
    return true;
  }
  const bool enough = turns_.end == SamplingEnd::enough;
  measured.cold = to_duration(seconds_of(ours), enough);
  measured.baseline_cold = to_duration(seconds_of(theirs), enough);
  if (before) measured.baseline_drift = measured.baseline_cold.median / before->median;
  case_.baseline = measured.baseline_cold;
  case_.reference_seconds = measured.baseline_cold.median;
  return true;
}

std::string ModuleTurns::remark() const {
  const auto all = turns_.candidate.size(), kept = undisturbed(turns_.candidate).size();
  if (2 * kept >= all) return {};
  return fmt::format("{} of {} turns were slowed by what else the host did, and are left out", all - kept,
                     all);
}

}  // namespace ridgeline::judge
