#include "engine/worker/judge/timing/batch_gains.hpp"

#include <optional>
#include <utility>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/overlap.hpp"
#include "engine/worker/judge/sampling/reference_times.hpp"
#include "engine/worker/judge/timing/calls_apart.hpp"
#include "engine/worker/judge/timing/device_idle.hpp"
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

/// Whether calls were helped beyond what the host does to a module's own reference, if that is measured in
/// the same way.
bool helped_beside(PreparedTask& prepared, ModuleRounds& rounds, const TimedSide& reference, Apart way,
                   const SamplingLimits& limits, double in_batch, const CallsApart& found) {
  // Work that the candidate left on the device would slow its reference, and so excuse the candidate. Nor
  // does a reference excuse it that cannot be measured.
  const auto pause = rounds.pause_candidate();
  if (!is_idle(prepared.backend().telemetry())) return true;
  auto end = SamplingEnd::enough;
  const auto apart = time_apart(reference, way, limits, end);
  return !apart || slows_apart_more_than_reference({reference.in_batch, apart->least()}, in_batch,
                                                   found.least() - found.allowance);
}

void look_for_help(PreparedTask& prepared, const TimedSide& side, const SamplingLimits& limits,
                   ModuleRounds* rounds, SampledCase& sampled) {
  auto& confirmed = sampled.confirmed;
  sampled.not_sealed = side.runner.why_not_sealed();
  std::optional<CallsApart> longest;
  bool in_each_way = true;
  const auto reference = rounds ? rounds->reference() : std::nullopt;
  for (const auto way : ways_to_call_apart(side, reference ? &*reference : nullptr)) {
    auto end = SamplingEnd::enough;
    auto found = time_apart(side, way, limits, end);
    if (!found) {
      confirmed.end = end;
      return;
    }
    const bool helped = found->helped && (!reference || helped_beside(prepared, *rounds, *reference, way,
                                                                      limits, side.in_batch, *found));
    in_each_way = in_each_way && helped;
    if (helped && (!longest || found->least() > longest->least())) longest = std::move(found);
  }
  if (rounds) {  // its score is a quotient of rounds
    sampled.helped_by_others = in_each_way;
    return;
  }
  if (!longest) return;
  sampled.timed_alone = true;
  confirmed.evidence.samples = longest->seconds;
  for (auto& sample : confirmed.evidence.samples) sample -= longest->allowance;
}

}  // namespace

void correct_for_batch_gains(PreparedTask& prepared, const RunnerProcess& runner, RunnerCaller& caller,
                             TimedSlots& slots, const SamplingLimits& limits, ModuleRounds* rounds,
                             SampledCase& sampled) {
  const auto& confirmed = sampled.confirmed;
  const auto well = [&] {
    return confirmed.end != SamplingEnd::caller_over && confirmed.end != SamplingEnd::slot_wrong &&
           confirmed.evidence.dispute == Dispute::none && !confirmed.evidence.samples.empty();
  };
  if (!runner.shares_device()) return;
  if (well() && !rounds) look_for_overlaps(prepared, runner, caller, slots, limits, sampled);
  if (well())
    look_for_help(prepared, {runner, caller, slots, median(confirmed.evidence.samples), rounds != nullptr},
                  limits, rounds, sampled);
}

}  // namespace ridgeline::judge
