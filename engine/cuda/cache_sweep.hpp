// Empties the L2 of what others left there, from within this process: reads through a buffer of its own.
//
// CUPTI writes to the device when a pass starts, after whatever its caller did to have cold caches, and those
// lines would be written back under the eyes of the counters. A sweep between the start and what is counted
// puts them out. Its kernel is PTX, which the driver compiles itself. One thread, the current context.
#pragma once

#include <cuda.h>

#include <cstdint>

namespace ridgeline::cuda {

class CacheSweep {
 public:
  /// Takes four times the L2 of device memory and runs once, so that nothing is loaded later. Throws
  /// MachineCannot.
  explicit CacheSweep(int device);
  CacheSweep(const CacheSweep&) = delete;  // owns memory and a module
  CacheSweep& operator=(const CacheSweep&) = delete;
  ~CacheSweep();

  /// One launch on the legacy default stream, over when this returns.
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
