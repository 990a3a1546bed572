#include "engine/worker/judge/timing/advisory_times.hpp"

#include <algorithm>

#include "engine/verifier/choice.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "engine/worker/judge/timing/baseline.hpp"
#include "engine/worker/judge/timing/energy_batch.hpp"
#include "engine/worker/judge/timing/output_check.hpp"
#include "profiler/metrics.hpp"

namespace ridgeline::judge {
namespace {

constexpr int kHotPairs = 7;
constexpr int kFewHotPairs = 3;             // of long calls, which differ less
constexpr double kEnoughHotSeconds = 0.03;  // windows after which more pairs than these are not needed
constexpr double kHotSeconds = 0.1;         // most seconds of windows
constexpr double kEnergyBatch = 0.05;       // seconds; so long that the gap between batches hardly counts
constexpr const char* kOver = "the runner is over";
constexpr const char* kNotRight = "what it left was not right";

/// Returns the number of calls whose arguments fit into one order to the runner.
std::size_t most_calls(const PreparedCase& prepared_case) {
  return runner::kMaxPointers / std::max<std::size_t>(1, prepared_case.timing_arena->arguments());
}

}  // namespace

HotPlan AdvisoryTimes::plan(const PreparedCase& prepared_case, const CaseTiming& measured) const {
  // A call that continues with what the one before left must not come twice between two fillings.
  bool drifts = false;
  for (const auto* tensor : prepared_.task().tensors()) drifts = drifts || tensor->role == Role::inout;
  auto limits = limits_;
  limits.most_calls = std::min(limits.most_calls, most_calls(prepared_case) / 3);
  const auto& arena = *prepared_case.timing_arena;
  return plan_hot(ceilings_.cache_bytes, arena.bytes_per_slot(), measured.cold.median, arena.slots(), limits,
                  drifts);
}

std::optional<Duration> AdvisoryTimes::sample_plan(const HotPlan& plan, RunnerCaller& caller,
                                                   TimedSlots& slots, const CaseTiming& measured) {
  if (plan.slots == 0) return std::nullopt;
  const double pair_seconds = 3 * static_cast<double>(plan.calls) * measured.cold.median;
  const auto within = [&](double seconds) { return static_cast<int>(std::min(1e3, seconds / pair_seconds)); };
  const int pairs =
      std::min({kHotPairs, within(kHotSeconds), std::max(kFewHotPairs, within(kEnoughHotSeconds))});
  if (pairs < 1) return std::nullopt;
  const auto sampling = sample_hot(caller, slots, plan, pairs);
  if (sampling.end != SamplingEnd::enough) return std::nullopt;
  const auto evidence = prepared_.backend().clocks().weigh(sampling.pairs, runner_.trusted_overhead());
  if (evidence.dispute != Dispute::none) return std::nullopt;
  return to_duration(evidence.samples, true);
}

void AdvisoryTimes::hot(PreparedCase& prepared_case, RunnerCaller& caller, TimedSlots& slots,
                        CaseTiming& measured) {
  const profiler::ScopedMetric metric("timing.hot");
  const auto planned = plan(prepared_case, measured);
  prepared_case.hot_bytes = static_cast<double>(planned.slots * prepared_case.timing_arena->bytes_per_slot());
  if (auto hot = sample_plan(planned, caller, slots, measured)) measured.hot = std::move(*hot);
}

std::string AdvisoryTimes::energy(const PreparedCase& prepared_case, RunnerCaller& caller, TimedSlots& slots,
                                  CaseTiming& measured) {
  const auto& telemetry = prepared_.backend().telemetry();
  if (!idle_watts_) idle_watts_ = idle_watts(telemetry);
  if (!idle_watts_) return "nothing here counts joules";
  const auto wanted = static_cast<std::size_t>(kEnergyBatch / measured.cold.median);
  const std::size_t third = std::clamp<std::size_t>(wanted, 3, most_calls(prepared_case)) / 3;
  if (!slots.prepare_rounds({.slots = slots.slots(), .calls = third})) return kOver;
  const auto outcome = energy_of_calls(caller, telemetry, 3 * third);
  if (!outcome.use) return outcome.why_not;
  measured.energy = outcome.use->joules_a_call;
  measured.energy_above_idle = measured.energy * std::max(0.0, 1 - *idle_watts_ / outcome.use->watts);
  return {};
}

/// Compares the remembered calls, each on its own inputs. A graph may lack a part of the calls, which no time
/// shows.
bool AdvisoryTimes::remembered_calls_right(const PreparedCase& prepared_case, TimedSlots& slots) const {
  const auto& task = prepared_.task();
  const auto& calls = slots.remembered();
  const auto passed = pass_output_check(prepared_, prepared_case, calls);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (passed[i]) continue;
    const auto& call = calls[i];
    const auto inputs = prepared_case.timing_arena->inputs_of(call.instance);
    const auto expected =
        verifier::expect(prepared_.reference(), task, prepared_case.definition(), InputSet::standard, inputs);
    const auto compared = verifier::compare_outputs(prepared_.reference(), task, prepared_case.definition(),
                                                    InputSet::standard, inputs, expected, call.outputs);
    if (!compared.ok) return false;
  }
  return true;
}

std::string AdvisoryTimes::replay(PreparedCase& prepared_case, CaseTiming& measured) {
  const profiler::ScopedMetric metric("timing.replay");
  auto graphs = plan(prepared_case, measured);
  // Graphs of K and of 2K begin at the same slot, so a call that continues with what is there would come
  // twice.
  if (!prepared_.backend().clocks().replays_graphs() || graphs.slots == 0 || graphs.refill) return {};
  graphs.replay = true;
  const auto answer = runner_.map(*prepared_case.timing_arena, runner_limits::map);
  const auto* reply = std::get_if<runner::Reply>(&answer);
  if (!reply || reply->answer != runner::Answer::ok) return kOver;
  RunnerCaller caller(runner_, 2 * limit_for(prepared_case, call_limit_));
  TimedSlots slots(prepared_, prepared_case, &runner_);
  auto replayed = sample_plan(graphs, caller, slots, measured);
  if (!slots.not_replayed().empty()) return slots.not_replayed();
  if (caller.last() || slots.arrange_failure()) return kOver;
  if (slots.fault() || !remembered_calls_right(prepared_case, slots)) return kNotRight;
  if (replayed) measured.replayed = std::move(*replayed);
  return {};
}

}  // namespace ridgeline::judge
