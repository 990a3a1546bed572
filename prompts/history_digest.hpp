// Earlier attempts, a line each: what came of them.
#pragma once

#include <string>

#include "engine/core/feedback.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// Oldest first; where the budget is short the oldest go.
std::string history_digest(const HistoryFeedback& history, const Task& task, int tokens);

}  // namespace ridgeline::prompts
