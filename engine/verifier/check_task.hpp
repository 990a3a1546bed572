// `ridgeline tasks check`: is this task sound?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

struct CheckItem {
  std::string name;  ///< compiles, runs, arguments, self, null_test, bytes, operations
  bool passed = false;
  std::string message;  ///< what was seen; on failure where, and the mend
};

struct TaskCheck {
  std::vector<CheckItem>
      items;  ///< in the order above; later ones are left out once the reference fails to run
  bool passed() const;
};

/// Never throws for a bad task: that is what the items say. Throws OutOfMemory where this machine has too
/// little.
TaskCheck check_task(const Task& task, std::uint64_t seed);

}  // namespace ridgeline::verifier
