// How a process ended, as data and in words.
#pragma once

#include <sys/wait.h>

#include <string>

namespace ridgeline::posix {

struct ChildExit {
  bool signalled = false;  ///< by a signal; else it ended by itself
  int code = 0;            ///< exit status, or number of the signal
  std::string limit = {};  ///< what the parent killed it for: "60 s"; empty if for nothing

  bool ok() const { return !signalled && code == 0 && limit.empty(); }
  bool operator==(const ChildExit&) const = default;
};

/// From what waitpid() and waitid() report.
ChildExit exit_of_status(int status);
ChildExit exit_of(const siginfo_t& info);

/// "exit status 3", "killed by signal 9", "killed by signal 9 at its limit of 60 s".
std::string describe(const ChildExit& end);

}  // namespace ridgeline::posix
