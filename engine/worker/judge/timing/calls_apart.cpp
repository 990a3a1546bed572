#include "engine/worker/judge/timing/calls_apart.hpp"

#include <algorithm>
#include <cstdint>

#include "engine/worker/judge/sampling/lone_calls.hpp"
#include "engine/worker/judge/sampling/sealed_timing.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "profiler/metrics.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kWindowsOfAModule = 2;  // sealed; of a kernel there is one of each way

/// Calls a runner over slots whose inputs are sealed.
class SealedRunnerBatches final : public SealedBatches {
 public:
  SealedRunnerBatches(const TimedSide& side, bool empties_cache)
      : side_(side), arguments_(side.slots.sealed_arguments()), empties_cache_(empties_cache) {}

  std::optional<double> call(std::size_t calls, SamplingEnd& end) override {
    std::vector<std::uint64_t> keys(calls);
    for (auto& key : keys) key = secret_seed();  // keys that a runner has got say nothing of others
    end = SamplingEnd::caller_over;
    if (!side_.slots.arrange(calls)) return std::nullopt;
    side_.slots.fill_sealed(keys);
    const auto batch =
        side_.caller.call_sealed({.arguments = arguments_, .keys = keys, .empties_cache = empties_cache_});
    if (!batch) return std::nullopt;
    end = SamplingEnd::slot_wrong;
    if (!side_.slots.inspect_sealed(keys, batch->digests, empties_cache_)) return std::nullopt;
    end = SamplingEnd::enough;
    return batch->wall;
  }

 private:
  const TimedSide& side_;
  std::vector<runner::SealedArgument> arguments_;
  bool empties_cache_;
};

std::optional<CallsApart> time_sealed(const TimedSide& side, bool empties_cache, SamplingEnd& end) {
  const profiler::ScopedMetric metric("timing.sealed_calls");
  const auto& all_costs = *side.runner.sealed_costs();
  const auto& costs = empties_cache ? all_costs.emptied : all_costs.kept;
  const auto plan = plan_sealed_calls(side.in_batch, side.slots.opening_seconds(empties_cache),
                                      std::min(side.slots.slots(), runner::kMostSealedCalls), costs,
                                      empties_cache ? 0 : side.slots.write_back_seconds());
  SealedRunnerBatches sealed(side, empties_cache);
  const auto times = sample_sealed_calls(sealed, plan, side.in_batch, side.is_module ? kWindowsOfAModule : 1);
  end = times.end;
  if (end != SamplingEnd::enough) return std::nullopt;
  return CallsApart{times.seconds, plan.allowance, helped_by_others(side.in_batch, times.least(), plan)};
}

std::optional<CallsApart> time_alone(const TimedSide& side, const SamplingLimits& limits, SamplingEnd& end) {
  const profiler::ScopedMetric metric("timing.lone_calls");
  const auto lone = sample_lone_calls(side.caller, side.slots, limits, side.runner.trusted_overhead());
  end = lone.end;
  if (end != SamplingEnd::enough) return std::nullopt;
  return CallsApart{lone.seconds, lone_call_allowance, helped_by_others(side.in_batch, lone.least())};
}

/// Slots of streamed buffers are few and large: opening them would take as long as a call.
bool can_seal(const TimedSide& side) {
  constexpr std::size_t few = 4;
  return side.runner.sealed_costs() && side.in_batch > 0 && side.slots.slots() >= few;
}

}  // namespace

double CallsApart::least() const {
  return seconds.empty() ? 0 : *std::ranges::min_element(seconds);
}

std::vector<Apart> ways_to_call_apart(const TimedSide& side, const TimedSide* reference) {
  const bool all_can = can_seal(side) && (!reference || can_seal(*reference));
  if (!all_can || side.in_batch > longest_sealed_call) return {Apart::alone};
  if (side.is_module) return {Apart::sealed_emptied};
  return {Apart::sealed_emptied, Apart::sealed_kept};
}

std::optional<CallsApart> time_apart(const TimedSide& side, Apart way, const SamplingLimits& limits,
                                     SamplingEnd& end) {
  switch (way) {
    case Apart::sealed_emptied:
      return time_sealed(side, true, end);
    case Apart::sealed_kept:
      return time_sealed(side, false, end);
    case Apart::alone:
      break;
  }
  return time_alone(side, limits, end);
}

}  // namespace ridgeline::judge
