// Counts reasons in one line for people.
#pragma once

#include <map>
#include <string>

namespace ridgeline {

/// Returns "incomplete: 5 (3 interrupted, 2 running)": the most frequent first, all beyond four together.
std::string counted_reasons(const std::string& subject, const std::map<std::string, int>& reasons);

}  // namespace ridgeline
