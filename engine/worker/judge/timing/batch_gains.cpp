#include "engine/worker/judge/timing/batch_gains.hpp"

#include <algorithm>
#include <utility>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/lone_calls.hpp"
#include "engine/worker/judge/sampling/overlap.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

void look_for_overlaps(PreparedTask& prepared, const RunnerProcess& runner, RunnerCaller& caller,
                       TimedSlots& slots, const SamplingLimits& limits, SampledCase& sampled) {
  auto& confirmed = sampled.confirmed;
  const profiler::ScopedMetric metric("timing.overlap");
  const auto weigh = [&](const auto& pairs) {
    return prepared.backend().clocks().weigh(pairs, runner.trusted_overhead());
  };
  caller.set_order(runner::CallOrder::one_by_one);
  auto found = sample_overlap_with_retry(caller, slots, limits, prepared.random(), profiler::wall_seconds,
                                         weigh, median(confirmed.evidence.samples));
  caller.set_order(runner::CallOrder::queued);
  if (found.end != SamplingEnd::enough) {
    confirmed.end = found.end;
    return;
  }
  if (found.evidence.dispute != Dispute::none) {
    confirmed.evidence.dispute = found.evidence.dispute;
    confirmed.evidence.detail = "with calls one by one, " + found.evidence.detail;
    return;
  }
  if (!found.overlaps) return;
  confirmed.evidence = std::move(found.evidence);
  sampled.calls_overlap = true;
}

void look_for_help(const RunnerProcess& runner, RunnerCaller& caller, TimedSlots& slots,
                   const SamplingLimits& limits, SampledBy by, SampledCase& sampled) {
  auto& confirmed = sampled.confirmed;
  const profiler::ScopedMetric metric("timing.lone_calls");
  const auto lone = sample_lone_calls(caller, slots, limits, runner.trusted_overhead());
  if (lone.end != SamplingEnd::enough) {
    confirmed.end = lone.end;
    return;
  }
  if (!helped_by_others(median(confirmed.evidence.samples), lone.least())) return;
  if (by == SampledBy::rounds) {  // its score is a quotient of rounds
    sampled.helped_by_others = true;
    return;
  }
  sampled.timed_alone = true;
  confirmed.evidence.samples = lone.seconds;
  for (auto& sample : confirmed.evidence.samples) sample -= lone_call_allowance;
}

}  // namespace

void correct_for_batch_gains(PreparedTask& prepared, const RunnerProcess& runner, RunnerCaller& caller,
                             TimedSlots& slots, const SamplingLimits& limits, SampledBy by,
                             SampledCase& sampled) {
  const auto& confirmed = sampled.confirmed;
  const auto well = [&] {
    return confirmed.end != SamplingEnd::caller_over && confirmed.end != SamplingEnd::slot_wrong &&
           confirmed.evidence.dispute == Dispute::none && !confirmed.evidence.samples.empty();
  };
  if (!runner.shares_device()) return;
  if (well() && by == SampledBy::itself) look_for_overlaps(prepared, runner, caller, slots, limits, sampled);
  if (well()) look_for_help(runner, caller, slots, limits, by, sampled);
}

}  // namespace ridgeline::judge
