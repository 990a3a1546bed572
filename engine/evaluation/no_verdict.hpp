// Makes the verdicts of evaluations that did not take place: what went wrong, as a status and a reason.
#pragma once

#include <string>

#include "engine/evaluation/evaluator.hpp"

namespace ridgeline::evaluation {

/// The worker died, stalled or could not be started, at every try; `why` says how.
Verdict worker_lost_verdict(const EvaluateRequest& request, const std::string& why);

/// The worker answered that it cannot judge.
Verdict failed_verdict(const EvaluateRequest& request, const protocol::Failed& failed);

}  // namespace ridgeline::evaluation
