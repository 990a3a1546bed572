// Writes a verdict as text for people.
#pragma once

#include <string>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::cli {

/// Returns the stages, the failure, the times and the roofline. Names hidden and final cases too: whoever
/// holds the task file may know them.
std::string verdict_text(const Verdict& verdict, const Candidate& candidate, const Task& task);

}  // namespace ridgeline::cli
