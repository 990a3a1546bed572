// Checks whether a task is sound: the work of `ridgeline tasks check`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

struct CheckItem {
  std::string name;  ///< compiles, runs, arguments, self, null_test, bytes, operations
  bool passed = false;
  std::string message;  ///< what was observed; on failure also where, and how to fix it
};

struct TaskCheck {
  /// In the order above; a task whose reference fails to run has no later items.
  std::vector<CheckItem> items;
  bool passed() const;
};

/// Runs every check on `task` with inputs drawn from `seed`. A bad task is reported by its items, never by
/// an exception. Throws OutOfMemory where this machine has too little memory for the task.
TaskCheck check_task(const Task& task, std::uint64_t seed);

}  // namespace ridgeline::verifier
