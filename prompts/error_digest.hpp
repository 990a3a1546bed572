// Describes for a prompt the failure that ended a candidate's evaluation. In both functions `task` says which
// cases may be named: models hear of a hidden case only as "an unseen case".
#pragma once

#include <string>

#include "engine/core/feedback.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// Returns compiler messages, the failed call, the wrong values or the reason of a rejection, whichever
/// applies to the candidate `about`; "" if its verdict is correct. The least important lines are left out so
/// that the text has at most `tokens` tokens, as token_budget.hpp estimates them.
std::string error_digest(const ScoredCandidate& about, const Task& task, int tokens);

/// Returns a few words for one line: "does not compile: 'x' was not declared in this scope". `verdict` must
/// not be a correct one, for which it would return "was rejected".
std::string failure_in_brief(const Verdict& verdict, const Task& task);

}  // namespace ridgeline::prompts
