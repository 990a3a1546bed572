// One kernel launch of a call, with counters that were read while it ran alone. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engine/core/occupancy.hpp"

namespace ridgeline {

struct KernelLaunch {
  std::string case_name;
  std::string kernel;                  ///< "softmax_rows"; "" for a graph, whose kernels are counted together
  std::array<std::int64_t, 3> grid{};  ///< blocks
  std::array<std::int64_t, 3> block{};           ///< threads
  int registers = 0;                             ///< a thread
  std::int64_t shared = 0;                       ///< bytes a block, static and dynamic
  std::int64_t local = 0;                        ///< bytes a thread: stack and spills
  double seconds = 0;                            ///< on the GPU
  double dram_bytes = 0;                         ///< read and written
  double achieved_occupancy = 0;                 ///< share of the most warps, on SMs that had any
  double theoretical_occupancy = 0;              ///< share of the warps that fit at once
  OccupancyLimit limit = OccupancyLimit::warps;  ///< the resource that keeps more from fitting

  std::int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  std::int64_t threads_a_block() const { return block[0] * block[1] * block[2]; }
};

}  // namespace ridgeline
