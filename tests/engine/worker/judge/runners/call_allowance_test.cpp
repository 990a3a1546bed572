#include "engine/worker/judge/runners/call_allowance.hpp"

#include <gtest/gtest.h>

#include "engine/worker/judge/runners/runner_limits.hpp"

namespace ridgeline::judge {
namespace {

TEST(CallAllowance, IsAddedToTheLimitOfACall) {
  EXPECT_EQ(allowance_for(/*interpreter=*/true, /*compiles=*/false).limit_of(2),
            2 + runner_limits::lazy_imports);
  EXPECT_EQ(allowance_for(true, true).limit_of(30), 30 + runner_limits::compile);
}

TEST(CallAllowance, IsNothingForALibrary) {
  EXPECT_EQ(allowance_for(/*interpreter=*/false, /*compiles=*/false).limit_of(2), 2);
}

TEST(CallAllowance, KeepsWhatCallsWithinTheirLimitsDoNotNeed) {
  CallAllowance allowance(20);
  allowance.spend(1.9, 2);
  EXPECT_EQ(allowance.limit_of(2), 22);
}

TEST(CallAllowance, IsSpentByWhatCallsTakeBeyondTheirLimitsTogether) {
  CallAllowance allowance(20);
  allowance.spend(10, 2);
  EXPECT_EQ(allowance.limit_of(3), 15);
  allowance.spend(13, 3);
  EXPECT_EQ(allowance.limit_of(3), 5);
  allowance.spend(100, 3);
  EXPECT_EQ(allowance.limit_of(3), 3);
}

}  // namespace
}  // namespace ridgeline::judge
