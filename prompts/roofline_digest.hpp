// Describes a candidate's roofline: bound, distance, and the numbers that say why, each with its source.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// Returns visible cases, the one with the most time to gain first, then the resources of each GPU kernel; ""
/// if there is neither. Repeats the stored diagnosis word for word.
std::string roofline_digest(const Verdict& verdict, const Task& task, int tokens);

/// Returns the median over visible cases of max(share of bandwidth, share of peak operations); 0 if there is
/// none.
double efficiency_of(const Verdict& verdict, const Task& task);

}  // namespace ridgeline::prompts
