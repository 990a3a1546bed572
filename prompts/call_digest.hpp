// Describes a call that did not return: how it ended, in which case, and where.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// Says only how it ended if the case is unseen: the kernel's output or place could reveal the case's sizes.
std::string call_digest(const Verdict& verdict, const Task& task, int tokens);

}  // namespace ridgeline::prompts
