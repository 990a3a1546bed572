// Which cases models must not hear of, and whether a text names one: the one rule for prompts and for
// exported training data.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "engine/core/task.hpp"

namespace ridgeline {

/// Hidden cases gate a candidate, and final ones judge the winner: neither may be learned.
bool is_secret(const Case& one);

std::set<std::string> secret_cases(const Task& task);

/// Whether `text` has one of `names` as a whole word, whose characters are letters, digits and underscores.
/// Not as a part of a word: a case named "1" would take every number out of a text, and one named "n" all of
/// it. The judge writes names with blanks, commas, quotes or brackets around them.
bool names_any(std::string_view text, const std::set<std::string>& names);

}  // namespace ridgeline
