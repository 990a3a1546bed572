// A verdict for people.
#pragma once

#include <string>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::cli {

/// Stage by stage, then what went wrong (hidden and final cases included: whoever holds the task file may
/// know), times and roofline.
std::string verdict_text(const Verdict& verdict, const Candidate& candidate, const Task& task);

}  // namespace ridgeline::cli
