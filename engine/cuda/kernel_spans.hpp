// Records how long each kernel of this process ran on the device: from its start to its end, by CUPTI's
// activity records. Gaps between kernels are in no span, so the sum over a call is its kernels' own time:
// what ncu adds up as gpu__time_duration. In no span either: copies and fills of memory, which are no
// kernels, and kernels that a kernel launches.
//
// One object at a time in a process: CUPTI accepts one pair of callbacks for its buffers, without a word of
// the caller's, and keeps them until the process ends. No RangeProfiler may live meanwhile. Kernels may
// be launched from any thread; the members belong to one.
#pragma once

#include <cstdint>

#include "engine/cuda/cupti.hpp"

namespace ridgeline::cuda {

/// Order of calls: `begin`, the kernels, a wait until the device has done them, `end`.
class KernelSpans {
 public:
  /// What was recorded between `begin` and `end`.
  struct Sum {
    std::uint32_t kernels = 0;  ///< whose spans are known, those of graphs among them
    std::uint32_t lost = 0;     ///< kernels of which CUPTI had no time, or no room for a record
    double seconds = 0;         ///< sum of the known spans; kernels that ran at once count one by one
  };

  /// Has CUPTI send its buffers here. `cupti` must outlive the process's last kernel. Throws CuptiRefused.
  explicit KernelSpans(const Cupti& cupti);
  KernelSpans(const KernelSpans&) = delete;  // CUPTI knows one
  KernelSpans& operator=(const KernelSpans&) = delete;
  /// Stops recording.
  ~KernelSpans();

  /// Forgets what was recorded and starts. Kernels that were launched before must be over. The first time
  /// takes long: CUPTI allocates on the device. Throws CuptiRefused.
  void begin();
  /// Stops, and returns what was recorded. Every kernel since `begin` must be over. Throws CuptiRefused.
  Sum end();

 private:
  void disable();

  const Cupti& cupti_;
  bool records_ = false;
};

}  // namespace ridgeline::cuda
