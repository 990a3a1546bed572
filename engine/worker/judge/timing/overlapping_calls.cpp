#include "engine/worker/judge/timing/overlapping_calls.hpp"

#include <utility>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/overlap.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {

void time_overlapping_calls(PreparedTask& prepared, const RunnerProcess& runner, RunnerCaller& caller,
                            TimedSlots& slots, const SamplingLimits& limits, SampledCase& sampled) {
  auto& confirmed = sampled.confirmed;
  const bool over = confirmed.end == SamplingEnd::caller_over || confirmed.end == SamplingEnd::slot_wrong;
  if (!runner.shares_device()) return;
  if (over || confirmed.evidence.dispute != Dispute::none || confirmed.evidence.samples.empty()) return;
  const profiler::ScopedMetric metric("timing.overlap");
  const auto weigh = [&](const auto& pairs) {
    return prepared.backend().clocks().weigh(pairs, runner.trusted_overhead());
  };
  caller.set_order(runner::CallOrder::one_by_one);
  auto found = sample_overlap(caller, slots, limits, prepared.random(), profiler::wall_seconds, weigh,
                              median(confirmed.evidence.samples));
  caller.set_order(runner::CallOrder::queued);
  if (found.end != SamplingEnd::enough) confirmed.end = found.end;
  if (!found.overlaps) return;
  confirmed.evidence = std::move(found.evidence);
  sampled.calls_overlap = true;
}

}  // namespace ridgeline::judge
