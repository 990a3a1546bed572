// One launch of a GPU kernel within a call of the candidate, with hardware counters that were read while it
// ran alone on the device. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engine/core/occupancy.hpp"

namespace ridgeline {

struct KernelLaunch {
  std::string case_name;  ///< the task's case (one set of sizes) whose call launched the kernel
  std::string kernel;     ///< its name, as "softmax_rows"; "" for a graph, whose kernels are counted together
  std::array<std::int64_t, 3> grid{};   ///< blocks per dimension
  std::array<std::int64_t, 3> block{};  ///< threads per block and dimension
  int registers = 0;                    ///< registers per thread
  std::int64_t shared = 0;              ///< bytes of shared memory per block, static and dynamic
  std::int64_t local = 0;               ///< bytes of local memory per thread: stack and spilled registers
  double seconds = 0;                   ///< how long it ran on the GPU
  double dram_bytes = 0;                ///< bytes read from and written to the GPU's memory
  /// Active warps over the most that a multiprocessor can hold: the average while it has any warp.
  double achieved_occupancy = 0;
  /// Warps that fit at once over the most that a multiprocessor can hold (occupancy.hpp).
  double theoretical_occupancy = 0;
  /// The resource that one more block would exceed; it decides theoretical_occupancy.
  OccupancyLimit limit = OccupancyLimit::warps;

  std::int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  std::int64_t threads_per_block() const { return block[0] * block[1] * block[2]; }
};

}  // namespace ridgeline
