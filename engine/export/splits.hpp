// Assigns tasks to the train, validation and test splits. A task belongs to one split for ever: the split
// depends on its name only (or its category's), so no change of its cases, no other campaign and no other
// machine moves it.
#pragma once

#include <string>

#include "engine/core/names.hpp"

namespace ridgeline::exporting {

enum class Split { train, validation, test };
constexpr auto enum_names(Split) {
  return std::to_array<Name<Split>>(
      {{Split::train, "train"}, {Split::validation, "validation"}, {Split::test, "test"}});
}

/// What decides a task's split.
enum class SplitBy {
  task,      ///< its name: test tasks are new, their categories are not
  category,  ///< its category's name: test tasks are of categories that training never saw
  none       ///< nothing: everything is train
};
constexpr auto enum_names(SplitBy) {
  return std::to_array<Name<SplitBy>>(
      {{SplitBy::task, "task"}, {SplitBy::category, "category"}, {SplitBy::none, "none"}});
}

/// Returns the split: 80, 10 and 10 of a hundred names, by the SHA-256 of the name.
Split split_of(const std::string& name);

/// Returns the split of a task.
Split split_by(SplitBy by, const std::string& task, const std::string& category);

}  // namespace ridgeline::exporting
