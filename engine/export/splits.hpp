// Which tasks train and which test. A task belongs to one split for ever: by its name alone, so that no
// change of its cases, no other campaign and no other machine moves it.
#pragma once

#include <string>

#include "engine/core/names.hpp"

namespace ridgeline::exporting {

enum class Split { train, validation, test };
constexpr auto enum_names(Split) {
  return std::to_array<Name<Split>>(
      {{Split::train, "train"}, {Split::validation, "validation"}, {Split::test, "test"}});
}

/// 80, 10 and 10 of a hundred by SHA-256 of the name.
Split split_of(const std::string& task_name);

}  // namespace ridgeline::exporting
