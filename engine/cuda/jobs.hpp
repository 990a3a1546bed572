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

  void run(const std::vector<Move>& moves) { run(moves, {}); }
  /// For each job the offset of the first byte that differs, or nothing.
  std::vector<std::optional<std::uint64_t>> run(const std::vector<Compare>& compares) {
    return run({}, compares);
  }
  /// First the moves, then the comparisons, with one wait for both.
  std::vector<std::optional<std::uint64_t>> run(const std::vector<Move>& moves,
                                                const std::vector<Compare>& compares);
  /// Reads `bytes` at `memory`, so that what lay in the L2 before is gone and nothing in it is dirty.
  void read_through(CUdeviceptr memory, std::size_t bytes);
  /// The least that a device can be asked to do.
  void nudge();
  /// The clock of a multiprocessor just now, Hz: its cycles in some 20 µs by the device's own timer.
  double clock();

 private:
  /// Words of the host's, pinned, and their place on the device: what is staged is sent by `send` and read
  /// back by `read_back`.
  void make_room(std::size_t words);
  void send(std::size_t words);
  void read_back(std::size_t first, std::size_t words);
  void launch(CUfunction function, std::uint64_t chunks, void** arguments);
  void finish();

  CUmodule module_ = nullptr;
  CUfunction move_ = nullptr, compare_ = nullptr, read_ = nullptr, cycles_ = nullptr, nothing_ = nullptr;
  CUstream stream_ = nullptr;
  CUdeviceptr buffer_ = 0;
  std::uint64_t* staged_ = nullptr;
  std::size_t words_ = 0;  // of either
  unsigned blocks_ = 1;
};

}  // namespace ridgeline::cuda
