// How many warps of a launch fit on a multiprocessor, and what keeps more from it (CUDA C++ Programming
// Guide, "Multiprocessor Level"; allocation units of compute capability 7.0 to 10.0).
#pragma once

#include <cstdint>

#include "engine/core/names.hpp"

namespace ridgeline {

/// Of one multiprocessor, as the driver tells them. Zero where it does not.
struct MultiprocessorLimits {
  int warps = 0;
  int blocks = 0;
  int registers = 0;                 ///< of 32 bits
  std::int64_t shared = 0;           ///< bytes
  std::int64_t reserved_shared = 0;  ///< bytes that the driver takes of each block's
};

enum class OccupancyLimit { warps, blocks, registers, shared_memory };
constexpr auto enum_names(OccupancyLimit) {
  return std::to_array<Name<OccupancyLimit>>({{OccupancyLimit::warps, "warps"},
                                              {OccupancyLimit::blocks, "blocks"},
                                              {OccupancyLimit::registers, "registers"},
                                              {OccupancyLimit::shared_memory, "shared_memory"}});
}

struct Occupancy {
  int blocks = 0;                                ///< at once on a multiprocessor
  double share = 0;                              ///< of its warps
  OccupancyLimit limit = OccupancyLimit::warps;  ///< the tightest; warps where several are equally tight
};

/// `registers` a thread, `shared` bytes a block. Limits that are 0 do not count; without warps the share is
/// 0.
Occupancy occupancy_of(const MultiprocessorLimits& most, std::int64_t threads, int registers,
                       std::int64_t shared);

}  // namespace ridgeline
