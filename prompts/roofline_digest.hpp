// Describes a candidate's roofline: bound, distance, and the numbers that say why. Bytes and operations name
// their source.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// Returns for each visible case, the one with the most time to gain first, the stored diagnosis, the figures
/// and the counters. If any case has no counters, one line after all cases says why. The resources of each
/// GPU kernel follow. Returns "" if there is neither. Leaves out the least important lines beyond `tokens`
/// (token_budget.hpp).
std::string roofline_digest(const Verdict& verdict, const Task& task, int tokens);

/// Returns the median over visible cases of max(share of bandwidth, share of peak operations); 0 if there is
/// none.
double efficiency_of(const Verdict& verdict, const Task& task);

}  // namespace ridgeline::prompts
