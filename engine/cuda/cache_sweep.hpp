// Evicts from the L2 what others left there, by reading through a buffer of its own.
//
// CUPTI writes to the device when a pass starts, after the caller has made the caches cold, and those lines
// would be written back while the counters run. A sweep between the start of the pass and the counted work
// evicts them. The kernel is PTX, which the driver compiles itself, so no NVRTC is needed. One thread, which
// must have a current context.
#pragma once

#include <cuda.h>

#include <cstdint>

namespace ridgeline::cuda {

/// Owns a buffer of four times the L2 and the kernel that reads it.
class CacheSweep {
 public:
  /// Allocates the buffer and runs once, so that nothing is loaded later. Throws MachineCannot.
  explicit CacheSweep(int device);
  CacheSweep(const CacheSweep&) = delete;  // owns memory and a module
  CacheSweep& operator=(const CacheSweep&) = delete;
  ~CacheSweep();

  /// Runs one launch on the legacy default stream and waits until it is over.
  void run();

 private:
  void release();

  CUmodule module_ = nullptr;
  CUfunction read_ = nullptr;
  CUdeviceptr memory_ = 0;
  std::uint64_t count_ = 0;  // of 16 bytes
  unsigned blocks_ = 1;
};

}  // namespace ridgeline::cuda
