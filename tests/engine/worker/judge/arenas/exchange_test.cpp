// Tensors that pass between judge and oracle lie at addresses that the runtimes themselves would give.
#include "engine/worker/judge/arenas/exchange.hpp"

#include <gtest/gtest.h>

#include "engine/worker/judge/arenas/device_arena.hpp"

namespace ridgeline::judge {
namespace {

TEST(PackedTensors, BeginWhereATextureOverThemMayBegin) {
  const auto exchange = host_exchange();
  PackedTensors packed;
  for (const std::size_t bytes : {4, 1024, 513, 0, 8}) packed.add(bytes);
  packed.allocate(*exchange);
  std::uint64_t end = 0;
  for (const auto& place : packed.memory().places) {
    EXPECT_EQ(place.offset % 512, 0u);
    EXPECT_GE(place.offset, end);
    end = place.offset + place.bytes;
  }
  EXPECT_GE(packed.bytes(), end);
}

TEST(DeviceLayout, SlotsKeepTheAlignmentOfTextures) {
  EXPECT_EQ(kDeviceLayout.unit % 512, 0u);
  EXPECT_EQ(kGuardBytes % kDeviceLayout.unit, 0u);
  EXPECT_EQ(kDeviceLayout.stride(4) % kDeviceLayout.unit, 0u);
  EXPECT_GE(kDeviceLayout.stride(1000), 2 * kGuardBytes + kShiftSteps * kDeviceLayout.unit + 1000);
}

}  // namespace
}  // namespace ridgeline::judge
