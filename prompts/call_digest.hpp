// Describes a failure at the stage `call`: how the call ended, in which case, and where.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// Requires a verdict that failed at Stage::call. Names the way it ended, and the signal, in any case; place,
/// address and printed text only if the case is visible, since they could reveal a case's sizes. Leaves out
/// the least important lines beyond `tokens` (token_budget.hpp).
std::string call_digest(const Verdict& verdict, const Task& task, int tokens);

}  // namespace ridgeline::prompts
