// Strings in the form that exec takes.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::posix {

/// Pointers into `strings`, ended by a null; valid until `strings` changes.
inline std::vector<char*> string_pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (auto& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace ridgeline::posix
