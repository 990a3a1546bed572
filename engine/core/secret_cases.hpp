// Says which cases models must not hear of, and whether a text names one. Prompts and exported training data
// use this one rule.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "engine/core/task.hpp"

namespace ridgeline {

/// Whether models must not hear of the case: hidden cases gate a candidate and final ones judge the winner,
/// so neither may be learned.
bool is_secret(const Case& task_case);

/// Returns the names of a task's secret cases.
std::set<std::string> secret_cases(const Task& task);

/// Whether `text` has one of `names` as a whole word of letters, digits and underscores. Parts of words do
/// not count: a case named "1" would take every number out of a text. The judge writes names with blanks,
/// commas, quotes or brackets around them.
bool names_any(std::string_view text, const std::set<std::string>& names);

}  // namespace ridgeline
