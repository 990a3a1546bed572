// Moves, fills, draws and compares many pieces of device memory with one launch each: what the judge does to
// slots before and after a batch of calls.
//
// The kernels are compiled by NVRTC for the device when the object is made (0.1 s); that which draws numbers
// takes longer and is compiled meanwhile by a thread of its own. One thread, one context. Each `run` begins
// when all work on the legacy default stream (LibTorch's) is done, and is over when it returns.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <future>
#include <optional>
#include <vector>

#include "engine/core/draw_numbers.hpp"

namespace ridgeline::cuda {

/// Copies or fills a piece of device memory. Addresses aligned to 16 bytes are fast; all others work.
struct Move {
  CUdeviceptr to = 0;
  CUdeviceptr from = 0;  ///< 0: fills with `pattern`, whose 8 bytes are repeated from `to` on
  std::uint64_t bytes = 0;
  std::uint64_t pattern = 0;
};

/// Compares two pieces of device memory.
struct Compare {
  CUdeviceptr a = 0;
  CUdeviceptr b = 0;  ///< 0: compares with `pattern` repeated
  std::uint64_t bytes = 0;
  std::uint64_t pattern = 0;
};

/// Fills a piece of device memory with random numbers, or holds it against them. Their bits are those that
/// engine/verifier/number_blocks.hpp writes on a CPU.
struct Generate {
  CUdeviceptr to = 0;       ///< a multiple of the number's size; multiples of 16 bytes are fast
  std::uint64_t count = 0;  ///< numbers
  numbers::Generation numbers;
};

/// Memory to read so that the L2 keeps nothing of what it held before, and nothing in it is dirty.
struct Evict {
  CUdeviceptr memory = 0;  ///< a multiple of 16
  std::size_t bytes = 0;   ///< 0: nothing is evicted
};

/// Jobs that are performed kind by kind, in the order of the members. Jobs of one kind must not overlap.
struct JobList {
  std::vector<Move> moves;
  std::vector<Generate> generations;
  Evict evict;
  std::vector<Compare> compares;
  std::vector<Generate> checks;  ///< compares memory with the numbers, and changes nothing
};

/// Runs lists of jobs. Owns a stream and pinned memory.
class Jobs {
 public:
  /// Compiles the kernels. Throws MachineCannot where NVRTC is not found or refuses.
  explicit Jobs(int device);
  Jobs(const Jobs&) = delete;  // owns a module and a stream
  Jobs& operator=(const Jobs&) = delete;
  ~Jobs();

  /// Performs all moves; they must not overlap.
  void run(const std::vector<Move>& moves) { run(moves, {}); }
  /// Compares; returns for each job the offset of the first byte that differs, or nothing if none does.
  std::vector<std::optional<std::uint64_t>> run(const std::vector<Compare>& compares) {
    return run({}, compares);
  }
  /// Performs the moves, then the comparisons, and waits once for both.
  std::vector<std::optional<std::uint64_t>> run(const std::vector<Move>& moves,
                                                const std::vector<Compare>& compares) {
    return run(JobList{.moves = moves, .compares = compares});
  }
  /// Performs all jobs and waits once. Returns for each of `compares` and then for each of `checks` the
  /// offset of the first byte that differs, or nothing if none does.
  std::vector<std::optional<std::uint64_t>> run(const JobList& list);
  /// Launches an empty kernel and waits: the least work that a device can be asked for.
  void launch_empty_kernel();
  /// Measures the current clock of a multiprocessor in Hz: its cycles in about 20 µs of the device's own
  /// timer.
  double clock();

 private:
  /// Provides pinned words on the host, and as many on the device; `send` copies words to the device,
  /// `read_back` copies them back.
  void reserve_words(std::size_t words);
  void send(std::size_t words);
  void read_back(std::size_t first, std::size_t words);
  void launch(CUfunction function, std::uint64_t chunks, void** arguments);
  void begin_evicting(const Evict& evict);
  void finish();
  /// Returns the kernel that draws numbers; waits for it to be compiled.
  CUfunction generate();

  CUmodule module_ = nullptr, generate_module_ = nullptr;
  CUfunction move_ = nullptr, compare_ = nullptr, read_ = nullptr, cycles_ = nullptr, nothing_ = nullptr;
  CUfunction generate_ = nullptr;
  std::shared_future<std::vector<char>> generate_cubin_;  // throws again whatever compiling threw
  CUstream stream_ = nullptr;
  CUdeviceptr buffer_ = 0;
  std::uint64_t* staged_ = nullptr;
  std::size_t words_ = 0;  // in each of both buffers
  unsigned blocks_ = 1;
};

}  // namespace ridgeline::cuda
