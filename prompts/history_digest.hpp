// Describes the results of earlier attempts, with a line for each.
#pragma once

#include <string>

#include "engine/core/feedback.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// Lists the oldest first. Keeps within `tokens` by leaving out the oldest.
std::string history_digest(const HistoryFeedback& history, const Task& task, int tokens);

}  // namespace ridgeline::prompts
