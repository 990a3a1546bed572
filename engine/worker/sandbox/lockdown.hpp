// Lets a runner confine itself. A runner is trusted code until it loads its candidate, and not trusted
// afterwards. It installs two further seccomp filters, each of which only narrows what held before.
//
//   LibraryLockdowns lockdowns(fds);   // at start: allocates
//   prepare_for_lockdown();            // handlers
//   lockdowns.before_load();           // a candidate's static constructors are confined already
//   ... dlopen, dlsym ...
//   lockdowns.before_first_call();
//
// loading: files may be opened for reading and code mapped; no exec, fork, thread, socket, timer or signal,
// and writing only to `fds`. running: memory, futexes, the time, and reading and writing `fds` (read, write,
// writev, sendmsg, recvmsg); no new code in memory either. "A running candidate needs memory and nothing
// else." Polling, sleeping and opening are refused: block in read, recvmsg or futex instead.
//
// A refused call ends the process by SIGSYS, after its number was written to stderr (put 2 into `fds` so
// that this works, as also assert and uncaught exceptions). abort() ends with SIGABRT; in `strict`, where
// the runner is the init of its pid namespace, with status 128 + SIGABRT. install() covers every existing
// thread, since an interpreter's libraries may have started some.
#pragma once

#include <span>
#include <string_view>

#include "engine/worker/sandbox/seccomp_filter.hpp"

namespace ridgeline::sandbox {

/// The text before the number of a refused call on the runner's stderr.
inline constexpr std::string_view kRefusedCallNotice = "ridgeline: refused system call ";

/// Sets the handlers for SIGSYS and SIGABRT. Call it once, before any lockdown.
void prepare_for_lockdown();

/// A seccomp filter that a runner installs on itself.
class Lockdown {
 public:
  /// Makes the filter for an interpreter that is about to load its candidate. It holds for good, since an
  /// interpreter imports lazily. It refuses what `loading` refuses, but what torch's imports try and do
  /// without (a folder for a cache, the user's name) fails and ends nothing, and no further filter can be
  /// laid.
  static Lockdown interpreter(std::span<const int> fds) { return Lockdown{seccomp::interpreter(fds)}; }
  /// Makes the filter for a runner that holds a GPU, before its candidate is loaded. The driver opens files,
  /// maps memory and starts threads at any time, so this filter only removes what the driver no longer needs.
  /// Refused calls fail with EPERM.
  static Lockdown device() { return Lockdown{seccomp::device()}; }

  /// Installs the filter on every thread of the process. Allocates nothing; cannot be undone. Throws
  /// MachineCannot if the kernel refuses.
  void install();

 private:
  explicit Lockdown(seccomp::Program program);
  seccomp::Program program_;
};

/// Holds the two filters of a runner whose candidate is a library. The second lies on pages that cannot
/// change once the first is in force, and no other filter can be laid in between: a filter of a candidate's
/// constructor could answer for the kernel. So a third filter on the process (one is laid at exec) is the
/// second of these, and whoever counts from outside (process_tree.hpp) knows whether it is in force.
///
/// At most one object a process, which stays until the process ends.
class LibraryLockdowns {
 public:
  /// Throws MachineCannot.
  explicit LibraryLockdowns(std::span<const int> fds);
  LibraryLockdowns(const LibraryLockdowns&) = delete;  // the first filter names the place of the second
  LibraryLockdowns& operator=(const LibraryLockdowns&) = delete;

  // On every thread; these allocate nothing, cannot be undone, and throw MachineCannot if the kernel refuses.
  void before_load();
  void before_first_call();

 private:
  seccomp::Program loading_;
  const sock_fprog* running_ = nullptr;
};

}  // namespace ridgeline::sandbox
