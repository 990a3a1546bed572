// Ends the judge's process, from a thread of its own, if a task's reference that runs in it does not end or
// takes the machine's memory. Neither can be stopped from within, and the agent would wait for minutes and
// try again. References of modules run in a process of their own, which this does not watch.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/core/verdict.hpp"

namespace ridgeline::judge {

/// One look at the call of a reference, and at what the process and the machine hold then.
struct ReferenceObservation {
  std::uint64_t call = 0;    ///< number of the call; 0: none is running
  double wall = 0, cpu = 0;  ///< seconds of the clock, and of CPU time that the process used
  double held = 0;           ///< bytes of the process's own memory, also from before the call
  double available = 0;      ///< bytes that are left on the machine
};

/// Decides when a reference's call has taken too long or too much memory, from observations in their order.
/// No I/O.
class ReferencePatience {
 public:
  /// `machine_bytes`: the machine's memory.
  explicit ReferencePatience(double machine_bytes) : machine_bytes_(machine_bytes) {}

  /// Why the call must end.
  struct Breach {
    Reason reason = Reason::task_rejected;  ///< or memory_limit
    std::string why;
  };
  /// Returns a breach if the call has taken, since it was first observed, 10 s of the clock and 10 s of CPU
  /// time, or 120 s of the clock; or if the process holds 90 % of the machine's memory, or more than a
  /// quarter of it while less than 1/32 of it is available. Empty if no call is running.
  std::optional<Breach> observe(const ReferenceObservation& now);

 private:
  double machine_bytes_;
  ReferenceObservation first_;  // of the running call
};

/// The thread that observes calls under a ReferenceMark (verifier/reference_mark.hpp). It ends the process by
/// _exit(0), also if the answer throws a std::exception.
class ReferenceGuard {
 public:
  /// Answers the request in the judge's place, just before the process ends. It runs on the guard's thread,
  /// while the judge's own thread is inside the reference.
  using Answer = std::function<void(Reason reason, const std::string& why)>;
  explicit ReferenceGuard(Answer answer);
  ~ReferenceGuard();
  ReferenceGuard(const ReferenceGuard&) = delete;  // its thread holds its address
  ReferenceGuard& operator=(const ReferenceGuard&) = delete;

 private:
  void watch();
  [[noreturn]] void end(const ReferencePatience::Breach& breach, const std::string& task,
                        const std::string& one_case) const;

  Answer answer_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool ending_ = false;
  std::thread thread_;  // last: it uses the members above
};

}  // namespace ridgeline::judge
