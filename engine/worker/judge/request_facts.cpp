#include "engine/worker/judge/request_facts.hpp"

#include "engine/worker/judge/profile/profile_stage.hpp"

namespace ridgeline::judge {

RequestFacts facts_of(const PreparedTask& prepared, const Candidate& candidate,
                      const protocol::EvaluateSettings& settings) {
  return {.kind = runner_kind(candidate.language),
          .module = prepared.task().module.has_value(),
          .timed = settings.time,
          .compiles = settings.torch_compile.has_value(),
          .streaming = prepared.needs_streaming(),
          .has_reference_runner = prepared.reference_runner().is_alive()};
}

profiler::MetricSet wanted_set(const Task& task, const Candidate& candidate,
                               const protocol::EvaluateSettings& settings) {
  return profiler::metrics_for(candidate, compute_dtype(task), settings.all_counters);
}

}  // namespace ridgeline::judge
