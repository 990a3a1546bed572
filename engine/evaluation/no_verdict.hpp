// Makes the verdicts of evaluations that did not take place. Status and reason say what went wrong.
#pragma once

#include <string>

#include "engine/evaluation/evaluator.hpp"

namespace ridgeline::evaluation {

/// Returns the verdict for a request whose workers died, stalled or could not be started; `why` says how.
Verdict worker_lost_verdict(const EvaluateRequest& request, const std::string& why);

/// Returns the verdict for a request that a worker could not judge.
Verdict failed_verdict(const EvaluateRequest& request, const protocol::Failed& failed);

}  // namespace ridgeline::evaluation
