#include "engine/worker/judge/timing/timed_cases.hpp"

#include "engine/worker/judge/runners/runner_limits.hpp"
#include "profiler/metrics.hpp"

namespace ridgeline::judge {

std::vector<PreparedCase*> timed_cases(PreparedTask& prepared, bool hidden_cases) {
  std::vector<PreparedCase*> found;
  for (const auto& one : prepared.cases()) {
    const auto& definition = one->definition();
    if (definition.timed && !definition.final && (!definition.hidden || hidden_cases))
      found.push_back(one.get());
  }
  return found;
}

void make_slots(PreparedTask& prepared, PreparedCase& one) {
  if (one.timing_arena) return;
  const profiler::ScopedMetric metric("timing.make_slots");
  auto& backend = prepared.backend();
  one.timing_arena =
      backend.make_arena(prepared.task(), one.definition(), backend.timing_slots(prepared.task(), one));
}

void map_ahead(PreparedTask& prepared, RunnerProcess& runner, bool hidden_cases) {
  if (prepared.backend().starts_disturb() || prepared.lean()) return;
  std::vector<const Arena*> arenas;
  for (auto* one : timed_cases(prepared, hidden_cases)) {
    make_slots(prepared, *one);
    arenas.push_back(one->timing_arena.get());
  }
  const profiler::ScopedMetric metric("timing.map");
  runner.map_all(arenas, runner_limits::map);
}

}  // namespace ridgeline::judge
