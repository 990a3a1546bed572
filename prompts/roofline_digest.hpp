// The roofline of a candidate in words: bound, distance, and the numbers that say why, each with its source.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// Visible cases, the one with the most time to gain first, then what each GPU kernel uses. "" where there is
/// neither.
std::string roofline_digest(const Verdict& verdict, const Task& task, int tokens);

/// The median over visible cases of max(share of bandwidth, share of peak operations); 0 if there is none.
double efficiency_of(const Verdict& verdict, const Task& task);

}  // namespace ridgeline::prompts
