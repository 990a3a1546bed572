// Lets a runner confine itself. A runner is trusted code until it loads its candidate, and not trusted
// afterwards. It installs two further seccomp filters, each of which only narrows what held before.
//
//   Lockdown loading = Lockdown::loading(fds), running = Lockdown::running(fds);   // at start: allocates
//   prepare_for_lockdown();                                                         // handlers
//   loading.install();    // before dlopen: a candidate's static constructors are confined already
//   ... dlopen, dlsym ...
//   running.install();    // before the first call of the candidate
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
  /// For a runner that is about to load its candidate.
  static Lockdown loading(std::span<const int> fds) { return Lockdown{seccomp::loading(fds)}; }
  /// For an interpreter that is about to load its candidate; it holds for good, since an interpreter imports
  /// lazily. As `loading`, but what torch's imports try and do without (a folder for a cache, the user's
  /// name) fails and ends nothing, and no further filter can be laid.
  static Lockdown interpreter(std::span<const int> fds) { return Lockdown{seccomp::interpreter(fds)}; }
  /// For a runner that holds a GPU, before its candidate is loaded. The driver opens files, maps memory and
  /// starts threads at any time, so this filter only removes what the driver no longer needs. Refused calls
  /// fail with EPERM.
  static Lockdown device() { return Lockdown{seccomp::device()}; }
  /// For a runner that is about to call its candidate.
  static Lockdown running(std::span<const int> fds) { return Lockdown{seccomp::running(fds)}; }

  /// Installs the filter on every thread of the process. Allocates nothing; cannot be undone. Throws
  /// MachineCannot if the kernel refuses.
  void install();

 private:
  explicit Lockdown(seccomp::Program program);
  seccomp::Program program_;
};

}  // namespace ridgeline::sandbox
