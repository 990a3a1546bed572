// Many small moves, fills and comparisons in device memory with one launch: what a judge does to slots
// before and after a batch of calls.
//
// The kernels are compiled by NVRTC when the object is made (about 50 ms), for the current device. One
// thread, one context; each `run` has ended when it returns, and
// begins when all is done that was put on the legacy default stream, LibTorch's, before.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ridgeline::cuda {

/// One job: 16-byte aligned addresses are fast, all others right.
struct Move {
  CUdeviceptr to = 0;
  CUdeviceptr from = 0;  ///< 0: fill with `pattern` repeated, of period 8 bytes from `to` on
  std::uint64_t bytes = 0;
  std::uint64_t pattern = 0;
};

struct Compare {
  CUdeviceptr a = 0;
  CUdeviceptr b = 0;  ///< 0: against `pattern` repeated
  std::uint64_t bytes = 0;
  std::uint64_t pattern = 0;
};

class Jobs {
 public:
  /// Throws MachineCannot where NVRTC is not found, or refuses.
  explicit Jobs(int device);
  Jobs(const Jobs&) = delete;  // owns a module and a stream
  Jobs& operator=(const Jobs&) = delete;
  ~Jobs();

  void run(const std::vector<Move>& moves);
  /// For each job the offset of the first byte that differs, or nothing.
  std::vector<std::optional<std::uint64_t>> run(const std::vector<Compare>& compares);
  /// Reads `bytes` at `memory`, so that what lay in the L2 before is gone and nothing in it is dirty.
  void read_through(CUdeviceptr memory, std::size_t bytes);
  /// The least that a device can be asked to do.
  void nudge();
  /// The clock of a multiprocessor just now, Hz: its cycles in some 20 µs by the device's own timer.
  double clock();

 private:
  CUdeviceptr upload(const void* data, std::size_t bytes, std::size_t more);
  void launch(CUfunction function, std::uint64_t chunks, void** arguments);

  CUmodule module_ = nullptr;
  CUfunction move_ = nullptr, compare_ = nullptr, read_ = nullptr, cycles_ = nullptr, nothing_ = nullptr;
  CUstream stream_ = nullptr;
  CUdeviceptr buffer_ = 0;
  std::size_t buffer_bytes_ = 0;
  unsigned blocks_ = 1;
};

}  // namespace ridgeline::cuda
