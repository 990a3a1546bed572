// Describes earlier correct candidates with source, time, efficiency and analysis, worst first.
#pragma once

#include <string>

#include "engine/core/candidate.hpp"
#include "engine/core/feedback.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// Keeps within `tokens` by leaving out the slowest, each as a whole.
std::string ancestors_digest(const AncestorsFeedback& feedback, const Task& task, int tokens);

}  // namespace ridgeline::prompts
