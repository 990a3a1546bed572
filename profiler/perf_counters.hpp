// Hardware counters of another process, where the kernel lets them be read: cycles, instructions, misses of
// the last-level cache. Refusal is a result with its reason and its mend, never an error.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "engine/core/roofline.hpp"

namespace ridgeline::profiler {

struct PerfAccess {
  bool readable = false;
  std::string why_not;  ///< the call, its error and the mend; "" if readable
};

/// Tries to open the counters on this very process.
PerfAccess probe_perf_counters();

/// Counts what `pid` does in user mode between `start` and `stop`. One thread uses it; owns its descriptors.
class PerfCounters {
 public:
  explicit PerfCounters(pid_t pid);
  PerfCounters(const PerfCounters&) = delete;  // it owns descriptors, and no one needs a second set
  PerfCounters& operator=(const PerfCounters&) = delete;
  ~PerfCounters();

  const PerfAccess& access() const { return access_; }
  void start();
  /// Each counter divided by `calls`, scaled for the time it was off the hardware; empty if not readable.
  std::vector<Counter> stop(double calls);

 private:
  struct Open {
    const char* name;
    int fd;
  };
  std::vector<Open> open_;
  PerfAccess access_;
};

}  // namespace ridgeline::profiler
