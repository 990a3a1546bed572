// Starts a program confined by a policy, watches it, and ends it with every descendant.
//
//   Child child = spawn(policy, {"/usr/bin/g++", "-c", "k.cpp"});
//   ConfinedExit exit = child.wait();
//
// Descendants: in `strict` they live in the child's pid namespace and the kernel ends them with it. In
// `standard` they cannot leave the child's process group (setsid and setpgid are refused), so one signal
// reaches all; this process becomes a subreaper and collects them. In `none` the group is all there is.
//
// Threads: spawn from any thread, but the kernel kills the child when the *thread* that spawned it ends
// (that is how it dies with a killed worker), so that thread must outlive the child. A Child is used by
// one thread at a time. On destruction a child that still runs is killed and reaped.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/worker/sandbox/confined_exit.hpp"
#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox {

class Child {
 public:
  Child(Child&&) noexcept;
  Child& operator=(Child&&) noexcept;
  ~Child();

  pid_t pid() const;  // in this namespace; valid until its exit was returned
  int pidfd() const;  // readable once the child has ended; owned here

  /// Raises the limit on resident memory by `bytes`, for memory that the child maps or makes on its judge's
  /// order. Replaces what was granted before.
  void grant(std::uint64_t bytes);

  /// Waits at most `patience` for an end. Reads the child's output and enforces limits meanwhile: the
  /// beginning of each stream (Limits::kept_output) is kept for ConfinedExit. Empty: the child still runs.
  /// The limits that this process watches are enforced only during calls of `step` and `wait`. So call it now
  /// and then, with zero so as not to wait, while you talk to the child over a passed descriptor. Time
  /// between calls that are more than a second apart does not count as idle (idle_watch.hpp).
  std::optional<ConfinedExit> step(std::chrono::nanoseconds patience);
  /// Waits for the end, and enforces limits meanwhile; with no wall limit, however long that takes.
  ConfinedExit wait();
  /// Kills the child and every descendant, and waits until none is left. The exit is Ending::killed, unless
  /// the child had ended before.
  ConfinedExit kill_tree();

 private:
  friend Child spawn(const Policy&, const std::vector<std::string>&, const std::vector<int>&);
  struct State;
  explicit Child(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// `command[0]` is an absolute path that the policy lets the child execute. The descriptors of `passed`
/// become 3, 4, 5, ... in the child; stdin is /dev/null. Throws MachineCannot where a step of the
/// confinement fails (nothing then runs unconfined), BadInput for a path that is not there.
Child spawn(const Policy& policy, const std::vector<std::string>& command,
            const std::vector<int>& passed = {});

}  // namespace ridgeline::sandbox
