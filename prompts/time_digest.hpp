// Describes the times of a correct candidate: the speed-up with its interval, then a line for each visible
// case.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// Says why there are no times, if there are none.
std::string time_digest(const Verdict& verdict, const Task& task, int tokens);

}  // namespace ridgeline::prompts
