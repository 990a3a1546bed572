// Lets a runner confine itself by seccomp filters. A runner is trusted code until it loads its candidate, and
// not trusted afterwards. One filter is in force since exec (Policy::profile); each further filter only
// narrows what held before. An interpreter, or a runner with a GPU, installs one (Lockdown). A runner whose
// candidate is a library for the CPU installs two (LibraryLockdowns), `loading` and `running`:
//
//   LibraryLockdowns lockdowns(fds);   // at start: allocates
//   prepare_for_lockdown();            // handlers
//   lockdowns.before_load();           // a candidate's static constructors are confined already
//   ... dlopen, dlsym ...
//   lockdowns.before_first_call();
//
// The filter `loading` allows a candidate to open files for reading, to map code and to write to `fds`. It
// refuses exec, fork, threads, sockets, timers and signals. The filter `running` allows memory, futexes, the
// time, and reading and writing `fds` (read, write, writev, sendmsg, recvmsg). It also refuses new code in
// memory, polling, sleeping and opening: block in read, recvmsg or futex instead.
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
  /// Makes the filter for an interpreter that is about to load its candidate. No narrower one follows,
  /// since an interpreter may import at any time, and the filter refuses that another is installed. It
  /// refuses what `loading` refuses. Some refused calls fail with an error and do not end the process:
  /// torch's imports try them (a folder for a cache, the user's name) and go on without.
  static Lockdown interpreter(std::span<const int> fds) { return Lockdown{seccomp::interpreter(fds)}; }
  /// Makes the filter for a runner that has opened a GPU, before its candidate is loaded. The driver opens
  /// files, maps memory and starts threads at any time, so this filter refuses only what the driver does not
  /// need once the device is open. Refused calls fail with EPERM.
  static Lockdown device() { return Lockdown{seccomp::device()}; }

  /// Installs the filter on every thread of the process. Allocates nothing; cannot be undone. Throws
  /// MachineCannot if the kernel refuses.
  void install();

 private:
  explicit Lockdown(seccomp::Program program);
  seccomp::Program program_;
};

/// Holds the two filters of a runner whose candidate is a library. While the first is in force, only the
/// second can be installed, and it lies on pages that cannot change. Otherwise a candidate's constructor
/// could install a filter that pretends to the runner that the second was installed. So if a process has
/// three filters (the first since exec), the third is the second of these: the judge counts them from outside
/// (process_tree.hpp) to know that the runner is locked down.
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
