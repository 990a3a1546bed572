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

/// One line: "correct, 1.31x (1.28..1.35)", "fails correctness: wrong_values: …".
std::string verdict_line(const Verdict& verdict);

}  // namespace ridgeline::cli
