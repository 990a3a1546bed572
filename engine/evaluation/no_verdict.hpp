// Verdicts of evaluations that never took place: what went wrong, as a status and a reason.
#pragma once

#include <string>

#include "engine/evaluation/evaluator.hpp"

namespace ridgeline::evaluation {

/// The worker died, stalled or could not be started, on every try.
Verdict worker_lost_verdict(const EvaluateRequest& request, const std::string& why);

/// The worker answered that it cannot.
Verdict failed_verdict(const EvaluateRequest& request, const protocol::Failed& failed);

}  // namespace ridgeline::evaluation
