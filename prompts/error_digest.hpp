// Describes the failure that ended a candidate's evaluation.
#pragma once

#include <string>

#include "engine/core/feedback.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// Returns "" if the candidate is correct.
std::string error_digest(const ScoredCandidate& about, const Task& task, int tokens);

/// Returns a few words for a line of history: "does not compile: 'x' was not declared in this scope".
std::string failure_in_brief(const Verdict& verdict, const Task& task);

}  // namespace ridgeline::prompts
