// Times of a correct candidate in words: speed-up with its interval, then a line a visible case.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// Says so where there are no times.
std::string time_digest(const Verdict& verdict, const Task& task, int tokens);

}  // namespace ridgeline::prompts
