// The mark that groups of tasks bear which are posed otherwise than their files have them.
#pragma once

#include <string_view>

namespace ridgeline::suites {

/// Returns the mark at the end of a group's name: "bf16" of "level1 bf16", "bf16 1/4" of "level1 bf16 1/4";
/// "" if it has none. That is modules::Posing::label_suffix without its leading space.
constexpr std::string_view posing_mark(std::string_view category) {
  const auto is_mark = [](std::string_view word) {
    return word == "bf16" || word == "fp16" || word.starts_with("1/");
  };
  auto begin = category.size();
  while (true) {
    const auto space = begin == 0 ? std::string_view::npos : category.rfind(' ', begin - 1);
    if (space == std::string_view::npos || !is_mark(category.substr(space + 1, begin - space - 1))) break;
    begin = space;
  }
  return begin == category.size() ? std::string_view() : category.substr(begin + 1);
}

}  // namespace ridgeline::suites
