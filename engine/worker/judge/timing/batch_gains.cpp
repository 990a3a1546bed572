#include "engine/worker/judge/timing/batch_gains.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/lone_calls.hpp"
#include "engine/worker/judge/sampling/overlap.hpp"
#include "engine/worker/judge/sampling/sealed_timing.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
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

/// Calls a runner over slots whose inputs are sealed.
class SealedRunnerBatches final : public SealedBatches {
 public:
  SealedRunnerBatches(RunnerCaller& caller, TimedSlots& slots)
      : caller_(caller), slots_(slots), arguments_(slots.sealed_arguments()) {}

  std::optional<double> call(std::size_t calls, SamplingEnd& end) override {
    std::vector<std::uint64_t> keys(calls);
    for (auto& key : keys) key = secret_seed();  // keys that a runner has got say nothing of others
    end = SamplingEnd::caller_over;
    if (!slots_.arrange(calls)) return std::nullopt;
    if (!slots_.fill_sealed(keys)) {
      end = SamplingEnd::slot_wrong;
      return std::nullopt;
    }
    const auto batch = caller_.call_sealed(arguments_, keys);
    if (!batch) return std::nullopt;
    end = SamplingEnd::slot_wrong;
    if (!slots_.inspect_sealed(keys, batch->digests)) return std::nullopt;
    end = SamplingEnd::enough;
    return batch->wall;
  }

 private:
  RunnerCaller& caller_;
  TimedSlots& slots_;
  std::vector<runner::SealedArgument> arguments_;
};

/// Times of calls of which none can do the work of others.
struct CallsByThemselves {
  std::vector<double> seconds;  // a call, of each window
  double allowance = 0;         // seconds by which these may be too long
  bool helped = false;
};

std::optional<CallsByThemselves> time_sealed(const RunnerProcess& runner, RunnerCaller& caller,
                                             TimedSlots& slots, double in_batch, SamplingEnd& end) {
  const profiler::ScopedMetric metric("timing.sealed_calls");
  SealedRunnerBatches sealed(caller, slots);
  const auto most = std::min(slots.slots(), runner::kMostSealedCalls);
  const double opening = slots.opening_seconds();
  const auto plan = plan_sealed_calls(in_batch, opening, most, *runner.sealed_costs());
  const auto times = sample_sealed_calls(sealed, plan, in_batch);
  end = times.end;
  if (end != SamplingEnd::enough) return std::nullopt;
  return CallsByThemselves{times.seconds, plan.allowance, helped_by_others(in_batch, times.least(), plan)};
}

std::optional<CallsByThemselves> time_alone(const RunnerProcess& runner, RunnerCaller& caller,
                                            TimedSlots& slots, const SamplingLimits& limits, double in_batch,
                                            SamplingEnd& end) {
  const profiler::ScopedMetric metric("timing.lone_calls");
  const auto lone = sample_lone_calls(caller, slots, limits, runner.trusted_overhead());
  end = lone.end;
  if (end != SamplingEnd::enough) return std::nullopt;
  return CallsByThemselves{lone.seconds, lone_call_allowance, helped_by_others(in_batch, lone.least())};
}

/// Slots of streamed buffers are few and large: opening them would take as long as a call.
bool may_seal(const RunnerProcess& runner, const TimedSlots& slots, double in_batch) {
  constexpr std::size_t few = 4;
  return runner.sealed_costs() && in_batch <= longest_sealed_call && slots.slots() >= few;
}

void look_for_help(const RunnerProcess& runner, RunnerCaller& caller, TimedSlots& slots,
                   const SamplingLimits& limits, SampledBy by, SampledCase& sampled) {
  auto& confirmed = sampled.confirmed;
  const double in_batch = median(confirmed.evidence.samples);
  sampled.not_sealed = runner.why_not_sealed();
  auto end = SamplingEnd::enough;
  const auto apart = may_seal(runner, slots, in_batch)
                         ? time_sealed(runner, caller, slots, in_batch, end)
                         : time_alone(runner, caller, slots, limits, in_batch, end);
  if (!apart) {
    confirmed.end = end;
    return;
  }
  if (!apart->helped) return;
  if (by == SampledBy::rounds) {  // its score is a quotient of rounds
    sampled.helped_by_others = true;
    return;
  }
  sampled.timed_alone = true;
  confirmed.evidence.samples = apart->seconds;
  for (auto& sample : confirmed.evidence.samples) sample -= apart->allowance;
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
