#include "engine/core/occupancy.hpp"

#include <algorithm>
#include <limits>

namespace ridgeline {
namespace {

constexpr std::int64_t kWarp = 32;           // threads
constexpr std::int64_t kRegisterUnit = 256;  // a warp is given a multiple of this
constexpr std::int64_t kSharedUnit = 128;    // bytes
constexpr std::int64_t kPartitions = 4;      // of a multiprocessor; a warp's registers lie in one of them
constexpr std::int64_t kUnbounded = std::numeric_limits<int>::max();

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::int64_t by_registers(const MultiprocessorLimits& most, std::int64_t warps, int registers) {
  if (most.registers == 0 || registers <= 0) return kUnbounded;
  const auto of_a_warp = round_up(registers * kWarp, kRegisterUnit);
  // Registers are split over partitions, and a warp lies in one of them: what is left over in each is lost.
  const auto fitting = most.registers / kPartitions / of_a_warp * kPartitions;
  return fitting / warps;
}

}  // namespace

Occupancy occupancy_of(const MultiprocessorLimits& most, std::int64_t threads, int registers,
                       std::int64_t shared) {
  Occupancy occupancy;
  if (threads <= 0 || most.warps <= 0) return occupancy;
  const std::int64_t warps = (threads + kWarp - 1) / kWarp;
  const auto of_a_block = round_up(shared + most.reserved_shared, kSharedUnit);
  struct Bound {
    OccupancyLimit limit;
    std::int64_t blocks;
  };
  // The order decides a tie: warps first, since nothing is to be gained where they are at their limit.
  const Bound bounds[] = {{OccupancyLimit::warps, most.warps / warps},
                          {OccupancyLimit::registers, by_registers(most, warps, registers)},
                          {OccupancyLimit::shared_memory,
                           most.shared > 0 && of_a_block > 0 ? most.shared / of_a_block : kUnbounded},
                          {OccupancyLimit::blocks, most.blocks > 0 ? most.blocks : kUnbounded}};
  const auto* tightest = std::min_element(std::begin(bounds), std::end(bounds),
                                          [](const Bound& a, const Bound& b) { return a.blocks < b.blocks; });
  occupancy.blocks = static_cast<int>(tightest->blocks);
  occupancy.share = std::min(1.0, static_cast<double>(occupancy.blocks * warps) / most.warps);
  occupancy.limit = tightest->limit;
  return occupancy;
}

}  // namespace ridgeline
