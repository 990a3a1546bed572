#include "engine/cuda/monitor.hpp"

#include <gtest/gtest.h>

namespace ridgeline::cuda {
namespace {

TEST(Monitor, NamesTheReasonsThatSlowABusyDevice) {
  EXPECT_TRUE(throttle_reasons(0).empty());
  EXPECT_TRUE(throttle_reasons(0x1).empty()) << "an idle card is not held back";
  EXPECT_TRUE(throttle_reasons(0x2).empty()) << "clocks that somebody chose are no trouble";
  EXPECT_EQ(throttle_reasons(0x4), std::vector<std::string>{"power cap"});
  EXPECT_EQ(throttle_reasons(0x4 | 0x40 | 0x1),
            (std::vector<std::string>{"power cap", "hardware thermal slow-down"}));
}

TEST(Monitor, SaysWhyADeviceCannotBeRead) {
  const Monitor monitor("GPU-00000000-0000-0000-0000-000000000000");
  EXPECT_FALSE(monitor.why_not().empty());
  EXPECT_FALSE(monitor.now());
}

}  // namespace
}  // namespace ridgeline::cuda
