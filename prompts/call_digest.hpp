// A call that did not return in words: how it ended, in which case, and where.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// Of an unseen case only how it ended: what the kernel printed or where it was could tell the case's sizes.
std::string call_digest(const Verdict& verdict, const Task& task, int tokens);

}  // namespace ridgeline::prompts
