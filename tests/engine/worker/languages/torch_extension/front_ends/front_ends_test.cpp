#include "engine/worker/languages/torch_extension/front_ends/front_ends.hpp"

#include <gtest/gtest.h>

namespace ridgeline::front_ends {
namespace {

TEST(FrontEnds, FreeMemoryIsWhatTheSystemCallsAvailable) {
  EXPECT_EQ(available_memory("MemTotal: 9 kB\nMemAvailable:   23633080 kB\nBuffers: 1 kB\n"),
            std::uint64_t{23633080} << 10);
  EXPECT_EQ(available_memory("MemTotal: 9 kB\n"), 0u);
}

}  // namespace
}  // namespace ridgeline::front_ends
