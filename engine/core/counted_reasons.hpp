// How often each of several reasons was given, in a line.
#pragma once

#include <map>
#include <string>

namespace ridgeline {

/// "incomplete: 5 (3 interrupted, 2 running)": the most frequent first, all beyond four together.
std::string counted_reasons(const std::string& what, const std::map<std::string, int>& reasons);

}  // namespace ridgeline
