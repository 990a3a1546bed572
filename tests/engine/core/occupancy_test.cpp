#include "engine/core/occupancy.hpp"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

/// Compute capability 9.0, as the driver tells it.
constexpr MultiprocessorLimits hopper{
    .warps = 64, .blocks = 32, .registers = 65536, .shared = 233472, .reserved_shared = 1024};

TEST(Occupancy, IsFullIfNothingLimitsIt) {
  const auto found = occupancy_of(hopper, 256, 32, 0);
  EXPECT_EQ(found.blocks, 8);
  EXPECT_DOUBLE_EQ(found.share, 1);
  EXPECT_EQ(found.limit, OccupancyLimit::warps);
}

TEST(Occupancy, RegistersAreGivenToWarpsInUnits) {
  const auto found = occupancy_of(hopper, 256, 168, 0);  // 168 * 32 = 5376: 12 warps of 64
  EXPECT_EQ(found.blocks, 1);
  EXPECT_DOUBLE_EQ(found.share, 8.0 / 64);
  EXPECT_EQ(found.limit, OccupancyLimit::registers);
  EXPECT_DOUBLE_EQ(occupancy_of(hopper, 128, 168, 0).share, 12.0 / 64);
  EXPECT_DOUBLE_EQ(occupancy_of(hopper, 32, 33, 0).share, 0.5)
      << "blocks of one warp: the number of blocks limits";
}

TEST(Occupancy, CountsSharedMemoryThatTheDriverReserves) {
  const auto found = occupancy_of(hopper, 128, 32, 100 * 1024);
  EXPECT_EQ(found.blocks, 2);
  EXPECT_EQ(found.limit, OccupancyLimit::shared_memory);
  EXPECT_EQ(occupancy_of(hopper, 128, 32, 227 * 1024).blocks, 1);
}

TEST(Occupancy, SmallBlocksRunOutOfBlocks) {
  const auto found = occupancy_of(hopper, 32, 16, 0);
  EXPECT_EQ(found.blocks, 32);
  EXPECT_DOUBLE_EQ(found.share, 0.5);
  EXPECT_EQ(found.limit, OccupancyLimit::blocks);
}

TEST(Occupancy, NothingIsKnownWithoutLimitsOrThreads) {
  EXPECT_EQ(occupancy_of({}, 256, 32, 0).share, 0);
  EXPECT_EQ(occupancy_of(hopper, 0, 32, 0).share, 0);
  EXPECT_DOUBLE_EQ(occupancy_of({.warps = 64}, 256, 255, 1 << 20).share, 1)
      << "a limit that is not told is none";
}

}  // namespace
}  // namespace ridgeline
