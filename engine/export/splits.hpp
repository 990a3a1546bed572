// Assigns tasks to the train, validation and test splits. A task belongs to one split for ever: the split
// depends on its name only, so no change of its cases, no other campaign and no other machine moves it.
#pragma once

#include <string>

#include "engine/core/names.hpp"

namespace ridgeline::exporting {

enum class Split { train, validation, test };
constexpr auto enum_names(Split) {
  return std::to_array<Name<Split>>(
      {{Split::train, "train"}, {Split::validation, "validation"}, {Split::test, "test"}});
}

/// Returns the split: 80, 10 and 10 of a hundred names, by the SHA-256 of the name.
Split split_of(const std::string& task_name);

}  // namespace ridgeline::exporting
