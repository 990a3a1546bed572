// Counts reasons, of which there is at least one, in one line for people.
#pragma once

#include <map>
#include <string>

namespace ridgeline {

/// Returns "incomplete: 5 (3 interrupted, 2 running)": the four most frequent, then "7 for other reasons".
std::string counted_reasons(const std::string& subject, const std::map<std::string, int>& reasons);

}  // namespace ridgeline
