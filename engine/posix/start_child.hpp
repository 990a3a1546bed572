// The system calls between this process and its child's program. Plain data in, nothing allocated: the child
// runs in this process's memory until it calls exec, while this thread waits (vfork), so that a process that
// holds gigabytes of tensors pays for no page table and no copy-on-write.
#pragma once

#include <sys/types.h>

#include <span>
#include <utility>

namespace ridgeline::posix {

/// Pointers and views into what the caller holds.
struct StartPlan {
  char* const* words = nullptr;
  char* const* environment = nullptr;
  std::span<const std::pair<int, int>> descriptors = {};  ///< (number here, number there)
  const char* working_folder = nullptr;                   ///< null: as here
  int death_signal = 0;                                   ///< 0: none
  pid_t parent = -1;
};

struct Started {
  pid_t pid = -1;
  int error = 0;  ///< errno of the step that failed, in the child too; then there is no child
};

Started start_child(const StartPlan& plan);

}  // namespace ridgeline::posix
