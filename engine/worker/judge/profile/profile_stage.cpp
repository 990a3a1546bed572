#include "engine/worker/judge/profile/profile_stage.hpp"

#include <algorithm>

#include "engine/core/diagnosis.hpp"
#include "engine/core/work.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"
#include "profiler/perf_counters.hpp"
#include "prompts/words/diagnosis_text.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kLimit = 10;              // seconds for mapping, and for the counted calls
constexpr std::size_t kCountedCalls = 16;  // enough that starting and stopping the counters is little

std::vector<Counter> count_calls(PreparedTask& prepared, PreparedCase& one, RunnerProcess& runner,
                                 profiler::PerfCounters& counters) {
  if (!one.timing_arena) return {};
  const auto mapped = runner.map(*one.timing_arena, kLimit);
  if (!std::holds_alternative<runner::Reply>(mapped)) return {};
  TimedSlots slots(prepared, one, &runner);
  const std::size_t calls = std::min(kCountedCalls, slots.slots());
  if (!slots.prepare(calls, /*cold=*/true)) return {};
  counters.start();
  const auto batch = runner.call(0, calls, kLimit);
  auto counted = counters.stop(static_cast<double>(calls));
  return std::holds_alternative<runner::Reply>(batch.answer) ? counted : std::vector<Counter>{};
}

}  // namespace

DType compute_dtype(const Task& task) {
  for (const auto* tensor : task.tensors())
    if (tensor->role != Role::out) return tensor->dtype;
  return DType::float32;
}

void profile(PreparedTask& prepared, RunnerProcess* runner, const Ceilings& ceilings, Verdict& verdict) {
  auto& stage = verdict.at(Stage::profile);
  if (!verdict.timing) return;
  const Task& task = prepared.task();
  auto& telemetry = prepared.backend().telemetry();
  telemetry.remeasure_ceilings(/*exceeded=*/false);
  const bool alive = runner && runner->pid() > 0;
  profiler::PerfCounters counters(alive ? runner->pid() : 0);
  for (const auto& timed : verdict.timing->cases) {
    auto* one = prepared.find(timed.case_name);
    if (!one || timed.cold.median <= 0) continue;
    const auto work = work_of(task, one->definition().sizes);
    auto at = place_on_roofline(ceilings, compute_dtype(task), work, timed.cold.median);
    // No kernel is faster than the roofline, so the ceilings were measured too low, on a busy machine.
    if (at.efficiency >= 1) {
      telemetry.remeasure_ceilings(/*exceeded=*/true);
      at = place_on_roofline(ceilings, compute_dtype(task), work, timed.cold.median);
    }
    at.diagnosis = words::diagnosis_text(diagnose_analytic(at, ceilings, compute_dtype(task), work));
    if (const auto hot = place_in_caches(ceilings, work, one->hot_bytes, timed.hot.median))
      at.diagnosis += ' ' + words::hot_text(*hot, timed.hot.median);
    at.case_name = timed.case_name;
    at.bytes_source = at.operations_source = Source::analytic;
    if (alive && counters.access().readable) at.counters = count_calls(prepared, *one, *runner, counters);
    verdict.rooflines.push_back(std::move(at));
  }
  if (!verdict.rooflines.empty()) verdict.ceilings = ceilings;
  if (counters.access().readable)
    stage = {.status = Status::passed};
  else
    stage = {.status = Status::unavailable,
             .reason = Reason::counters_refused,
             .detail = "analytic counts over the cold time stand in; " + counters.access().why_not};
}

}  // namespace ridgeline::judge
