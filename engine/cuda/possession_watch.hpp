// Says whether this process's context held a device without a break. Contexts of different processes share a
// device in time slices, all multiprocessors at once, unless a server (MPS) merges them. So one thread that
// reads the device's timer all the time sees a gap whenever kernels of another process ran.
#pragma once

#include <cuda.h>

#include <cstdint>

namespace ridgeline::cuda {

/// Runs such a thread on a stream of its own. It takes a small part of one multiprocessor. One thread, one
/// context.
class PossessionWatch {
 public:
  /// Compiles the kernel. Throws MachineCannot where NVRTC is not found or refuses.
  explicit PossessionWatch(int device);
  PossessionWatch(const PossessionWatch&) = delete;  // owns a module and a stream
  PossessionWatch& operator=(const PossessionWatch&) = delete;
  ~PossessionWatch();

  /// Starts the thread, and returns once it reads the timer. Must be followed by `end` within 2 s.
  void begin();
  /// Ends it. Returns the longest time, in seconds, between two of its readings; 2 s if it was not ended by
  /// then, since nothing after that was seen. A reading takes about a microsecond.
  double end();

 private:
  CUmodule module_ = nullptr;
  CUfunction watch_ = nullptr;
  CUstream stream_ = nullptr;
  volatile std::uint64_t* words_ = nullptr;  // pinned memory that the device reads and writes
};

}  // namespace ridgeline::cuda
