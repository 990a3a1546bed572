// Reads hardware counters of another process, where the kernel allows it: cycles, instructions, misses of
// the last-level cache. A refusal is a result with its reason and a way to fix it, never an error.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "engine/core/roofline.hpp"

namespace ridgeline::profiler {

/// Whether counters can be read.
struct PerfAccess {
  bool readable = false;
  std::string why_not;  ///< the call, its error and how to fix it; "" if readable
};

/// Tries to open the counters on this process.
PerfAccess probe_perf_counters();

/// Counts what `pid` does in user mode between `start` and `stop`. Owns its descriptors; one thread.
class PerfCounters {
 public:
  /// Opens the counters; `access` says whether that worked.
  explicit PerfCounters(pid_t pid);
  PerfCounters(const PerfCounters&) = delete;  // it owns descriptors
  PerfCounters& operator=(const PerfCounters&) = delete;
  ~PerfCounters();

  const PerfAccess& access() const { return access_; }
  /// Resets the counters and lets them run.
  void start();
  /// Stops, and returns each counter divided by `calls`, scaled up for the time it was not on the hardware;
  /// empty if not readable.
  std::vector<Counter> stop(double calls);

 private:
  struct OpenCounter {
    const char* name;
    int fd;
  };
  std::vector<OpenCounter> open_;
  PerfAccess access_;
};

}  // namespace ridgeline::profiler
