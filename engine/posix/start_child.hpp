// The system calls between this process and its child's program. Plain data in, nothing allocated: the child
// runs in this process's memory until it calls exec, while this thread waits (vfork), so that a process that
// holds gigabytes of tensors pays for no page table and no copy-on-write.
#pragma once

#include <sys/types.h>

#include <span>
#include <utility>

namespace ridgeline::posix {

/// Pointers and views into what the caller holds until start_child returns.
struct StartPlan {
  /// Ended by null. words[0] is a path (if relative, from `working_folder`), or a name without a slash, which
  /// is looked for in this process's PATH.
  char* const* words = nullptr;
  char* const* environment = nullptr;  ///< "NAME=value", ended by null: all of the child's
  /// (number here, number there). Each number here must be above all numbers there, or giving one its number
  /// may close another. A descriptor that is not named is inherited unless it is close-on-exec.
  std::span<const std::pair<int, int>> descriptors = {};
  const char* working_folder = nullptr;  ///< null: as here
  int death_signal = 0;                  ///< sent to the child when the starting thread ends; 0: none
  /// This process's id. A child with a death signal ends at once, with status 127, if its parent is another.
  pid_t parent = -1;
};

struct Started {
  pid_t pid = -1;  ///< the caller has to wait for it
  int error = 0;   ///< errno of the step that failed, in the child too; then there is no child. 0: none did
};

/// Starts the program in a process group of its own, with no signal blocked. Signals that this process
/// handles have their default action there; so do SIGINT, SIGPIPE, SIGQUIT and SIGTERM even if it ignores
/// them. Others that it ignores stay ignored. Returns when exec has succeeded, or a step has failed.
Started start_child(const StartPlan& plan);

}  // namespace ridgeline::posix
