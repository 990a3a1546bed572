#include "engine/worker/judge/timing/timed_cases.hpp"

#include <optional>

#include "engine/verifier/choice.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "engine/worker/judge/sampling/full_comparisons.hpp"
#include "profiler/metrics.hpp"

namespace ridgeline::judge {

std::vector<PreparedCase*> timed_cases(PreparedTask& prepared, bool hidden_cases) {
  std::vector<PreparedCase*> timed;
  for (const auto& each : prepared.cases()) {
    const auto& definition = each->definition();
    if (definition.timed && !definition.final && (!definition.hidden || hidden_cases))
      timed.push_back(each.get());
  }
  return timed;
}

std::vector<std::size_t> calls_compared_in_full(PreparedTask& prepared,
                                                const std::vector<PreparedCase*>& cases) {
  std::vector<std::optional<double>> seconds;
  for (const auto* each : cases)
    seconds.push_back(prepared.backend().memory().needs_streaming(prepared.task(), each->definition())
                          ? std::nullopt
                          : std::optional(each->expectation_seconds()));
  return full_comparisons(seconds, prepared.random(), !verifier::is_random(prepared.task()));
}

void make_timing_arena(PreparedTask& prepared, PreparedCase& prepared_case) {
  if (prepared_case.timing_arena) {
    // An earlier candidate had it mapped, and may have left words for this one.
    const profiler::ScopedMetric metric("timing.clear_slots");
    prepared_case.timing_arena->clear();
    return;
  }
  const profiler::ScopedMetric metric("timing.make_slots");
  auto& memory = prepared.backend().memory();
  const auto& definition = prepared_case.definition();
  // The reference has drawn expectations by now, so its time is known at least roughly.
  const auto slots =
      memory.timing_slots(prepared.task(), definition, prepared_case.baseline().reference_seconds());
  prepared_case.timing_arena = memory.make_arena(prepared.task(), definition, slots);
}

void map_timing_arenas_ahead(PreparedTask& prepared, RunnerProcess& runner, bool hidden_cases) {
  // Where starts disturb, none happens beside timing, so mapping has nobody to wait for. A case that needs
  // streaming leaves no room for another one's arena.
  if (prepared.backend().clocks().starts_disturb() || prepared.needs_streaming()) return;
  std::vector<const Arena*> arenas;
  for (auto* timed : timed_cases(prepared, hidden_cases)) {
    make_timing_arena(prepared, *timed);
    arenas.push_back(timed->timing_arena.get());
  }
  const profiler::ScopedMetric metric("timing.map");
  runner.map_all(arenas, runner_limits::map);
}

void free_timing_memory(PreparedCase& prepared_case, RunnerProcess& runner, DeviceMemory& memory) {
  memory.look();
  runner.release_memory(runner_limits::map);
  prepared_case.timing_arena->let_go();
  memory.give_back_cached();
}

}  // namespace ridgeline::judge
