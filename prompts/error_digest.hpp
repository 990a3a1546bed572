// Whatever ended a candidate's walk, in words.
#pragma once

#include <string>

#include "engine/core/feedback.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// "" if the candidate is correct.
std::string error_digest(const ScoredCandidate& about, const Task& task, int tokens);

/// In a few words, for a line of history: "does not compile: 'x' was not declared in this scope".
std::string failure_in_brief(const Verdict& verdict, const Task& task);

}  // namespace ridgeline::prompts
