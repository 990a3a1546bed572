// For the runner itself: trusted code until it loads its candidate, nothing afterwards. Two further
// seccomp filters that it lays on itself; each only narrows what held before.
//
//   Lockdown loading = Lockdown::loading(fds), running = Lockdown::running(fds);   // at start: allocates
//   prepare_for_lockdown();                                                         // handlers
//   loading.install();    // before dlopen: a candidate's static constructors are confined already
//   ... dlopen, dlsym ...
//   running.install();    // before the first call of the candidate
//
// loading: files may be opened for reading and code mapped; no exec, fork, thread, socket, timer, signal,
// and writing only to `fds`. running: memory, futexes, the time, and reading and writing `fds` (read,
// write, writev, sendmsg, recvmsg); no new code in memory either. "A running candidate needs memory and
// nothing else." Polling, sleeping and opening are refused: block in read, recvmsg or futex instead.
//
// A refused call ends the process by SIGSYS, after its number went to stderr (list 2 in `fds` so that it
// can, as also assert and uncaught exceptions). abort() ends with SIGABRT, or in `strict`, where the
// runner is the init of its pid namespace, with status 128 + SIGABRT. install() covers every thread that
// there is: an interpreter's libraries may have started some.
#pragma once

#include <span>
#include <string_view>

#include "engine/worker/sandbox/seccomp_filter.hpp"

namespace ridgeline::sandbox {

/// What precedes the number of a refused call on the runner's stderr.
inline constexpr std::string_view kRefusedCallNotice = "ridgeline: refused system call ";

/// Sets the handlers for SIGSYS and SIGABRT. Once, before any lockdown.
void prepare_for_lockdown();

class Lockdown {
 public:
  static Lockdown loading(std::span<const int> fds) { return Lockdown{seccomp::loading(fds)}; }
  /// For a runner that holds a device, before its candidate is loaded: the driver opens files, maps memory
  /// and starts threads as it goes, so this only takes away what it needs no more. Refusals are EPERM.
  static Lockdown device() { return Lockdown{seccomp::device()}; }
  static Lockdown running(std::span<const int> fds) { return Lockdown{seccomp::running(fds)}; }

  /// No allocation; throws MachineCannot if the kernel refuses. Cannot be undone.
  void install();

 private:
  explicit Lockdown(seccomp::Program program);
  seccomp::Program program_;
};

}  // namespace ridgeline::sandbox
