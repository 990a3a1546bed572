#include "engine/worker/judge/request_facts.hpp"

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

}  // namespace ridgeline::judge
