// A thread beside the judge's own that ends the process where a task's reference does not end, or takes the
// machine's memory: neither can be stopped from within, and the agent would wait for minutes and try again.
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

/// One observation of the reference's call that is going on.
struct ReferenceLook {
  std::uint64_t call = 0;    ///< its number; 0: no call is going on
  double wall = 0, cpu = 0;  ///< seconds by the clock, and seconds that the process used
  double held = 0;           ///< bytes of memory that are the process's alone
  double available = 0;      ///< bytes that the machine has left
};

/// Decides when a reference has taken too much, fed with observations in their order. No I/O.
class ReferencePatience {
 public:
  explicit ReferencePatience(double machine_bytes) : machine_bytes_(machine_bytes) {}

  struct Breach {
    Reason reason = Reason::task_rejected;  ///< or memory_limit
    std::string why;
  };
  std::optional<Breach> look(const ReferenceLook& look);

 private:
  double machine_bytes_;
  ReferenceLook first_;  ///< of the call at hand
};

class ReferenceGuard {
 public:
  /// `answer` answers the request in the judge's place. It runs on the guard's thread, while the judge's own
  /// is within the reference; then the process ends.
  using Answer = std::function<void(Reason reason, const std::string& why)>;
  explicit ReferenceGuard(Answer answer);
  ~ReferenceGuard();
  ReferenceGuard(const ReferenceGuard&) = delete;  // its thread looks at it
  ReferenceGuard& operator=(const ReferenceGuard&) = delete;

 private:
  void watch();
  [[noreturn]] void end(const ReferencePatience::Breach& breach, const std::string& task,
                        const std::string& one_case) const;

  Answer answer_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool ending_ = false;
  std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace ridgeline::judge
