// Computes how many warps of a launch fit on a multiprocessor at once, and which resource limits that number
// (CUDA C++ Programming Guide, "Multiprocessor Level"; allocation units of compute capability 7.0 to 10.0).
#pragma once

#include <cstdint>

#include "engine/core/names.hpp"

namespace ridgeline {

/// Limits of one multiprocessor, as the driver reports them; 0 for each that it does not report.
struct MultiprocessorLimits {
  int warps = 0;
  int blocks = 0;
  int registers = 0;                 ///< registers of 32 bits
  std::int64_t shared = 0;           ///< bytes
  std::int64_t reserved_shared = 0;  ///< bytes of each block that the driver keeps for itself
};

enum class OccupancyLimit { warps, blocks, registers, shared_memory };
constexpr auto enum_names(OccupancyLimit) {
  return std::to_array<Name<OccupancyLimit>>({{OccupancyLimit::warps, "warps"},
                                              {OccupancyLimit::blocks, "blocks"},
                                              {OccupancyLimit::registers, "registers"},
                                              {OccupancyLimit::shared_memory, "shared_memory"}});
}

/// How well a launch fills a multiprocessor.
struct Occupancy {
  int blocks = 0;    ///< blocks that fit at once
  double share = 0;  ///< of the multiprocessor's warps, 0 to 1
  /// The resource that admits the fewest blocks. Of equal ones the first of warps, registers, shared_memory
  /// and blocks.
  OccupancyLimit limit = OccupancyLimit::warps;
};

/// Takes a launch's threads per block, registers per thread and bytes of shared memory per block. A limit of
/// `most` that is 0 does not count, except the limit of warps: without it, or without threads, the result is
/// Occupancy{}.
Occupancy occupancy_of(const MultiprocessorLimits& most, std::int64_t threads, int registers,
                       std::int64_t shared);

}  // namespace ridgeline
