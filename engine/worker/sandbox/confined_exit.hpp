// Says how a confined child ended, and why: the first cause wins.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/names.hpp"
#include "engine/posix/child_exit.hpp"
#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox {

enum class Ending {
  exited,           // of its own accord; `code` is the exit status
  signalled,        // by a signal that nobody here sent; `code` is its number
  refused_syscall,  // SIGSYS from a seccomp filter
  wall_limit,
  cpu_limit,
  memory_limit,  // the watched resident size
  process_limit,
  output_limit,
  killed,  // by kill_tree
  idle_limit,
};

constexpr auto enum_names(Ending) {
  return std::to_array<Name<Ending>>({{Ending::exited, "exited"},
                                      {Ending::signalled, "signalled"},
                                      {Ending::refused_syscall, "refused_syscall"},
                                      {Ending::wall_limit, "wall_limit"},
                                      {Ending::cpu_limit, "cpu_limit"},
                                      {Ending::memory_limit, "memory_limit"},
                                      {Ending::process_limit, "process_limit"},
                                      {Ending::output_limit, "output_limit"},
                                      {Ending::killed, "killed"},
                                      {Ending::idle_limit, "idle_limit"}});
}

/// Holds how a confined child ended, what it used, and the beginning of what it wrote.
struct ConfinedExit {
  Ending ending = Ending::exited;
  int code = 0;             // exit status, or signal number; 0 where a limit ended it
  double cpu_seconds = 0;   // user and system, with the descendants it waited for
  double wall_seconds = 0;  // from spawn to the end
  std::uint64_t peak_resident =
      0;                           // bytes; the most that the watch saw, 0 if it ended before it was measured
  std::string out, err;            // heads of stdout and stderr, at most Limits::kept_output each
  std::uint64_t output_bytes = 0;  // written in all, kept or not
  std::string refused_call;        // name of the refused system call if the runner's handler wrote it

  bool ok() const { return ending == Ending::exited && code == 0; }
};

/// "killed by SIGSEGV (segmentation fault)", "used more than 512 MiB", for people.
std::string describe(const ConfinedExit& exit);

/// Holds what the kernel reported of the end, and what it is judged by.
struct ExitFacts {
  posix::ChildExit exit;
  double cpu_seconds = 0;
  Isolation level = Isolation::strict;
  std::string err;
};

/// Decides how the child ended; no I/O. `cause` is the limit for which this side killed the child, if it did.
/// In `strict` the child is the init of its pid namespace and cannot die of a signal that it raises; a status
/// of 128 + n (lockdown.hpp makes abort() end so) is read as the signal n.
ConfinedExit classify(std::optional<Ending> cause, const ExitFacts& facts, const Limits& limits);

}  // namespace ridgeline::sandbox
