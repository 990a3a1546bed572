#include "engine/worker/judge/timing/batch_gains.hpp"

#include <optional>
#include <utility>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/honest_calls.hpp"
#include "engine/worker/judge/sampling/overlap.hpp"
#include "engine/worker/judge/timing/calls_apart.hpp"
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
bool helped_beside(ModuleRounds& rounds, Apart way, const SamplingLimits& limits, double in_batch,
                   const CallsApart& found) {
  const auto reference = rounds.reference();
  if (!reference) return false;  // it ended, and so did the rounds
  auto end = SamplingEnd::enough;
  const auto apart = time_apart(*reference, way, limits, end);
  return apart &&
         helped_more_than({reference->in_batch, apart->least()}, in_batch, found.least() - found.allowance);
}

void look_for_help(const TimedSide& side, const SamplingLimits& limits, ModuleRounds* rounds,
                   SampledCase& sampled) {
  auto& confirmed = sampled.confirmed;
  sampled.not_sealed = side.runner.why_not_sealed();
  std::optional<CallsApart> longest;
  bool in_each_way = true;
  for (const auto way : ways_to_call_apart(side)) {
    auto end = SamplingEnd::enough;
    auto found = time_apart(side, way, limits, end);
    if (!found) {
      confirmed.end = end;
      return;
    }
    const bool helped =
        found->helped && (!rounds || helped_beside(*rounds, way, limits, side.in_batch, *found));
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
    look_for_help({runner, caller, slots, median(confirmed.evidence.samples), rounds != nullptr}, limits,
                  rounds, sampled);
}

}  // namespace ridgeline::judge
