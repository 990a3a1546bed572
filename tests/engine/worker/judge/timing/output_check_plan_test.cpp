#include "engine/worker/judge/timing/output_check_plan.hpp"

#include <gtest/gtest.h>

namespace ridgeline::judge {
namespace {

/// Returns how many of `calls` are checked if each check takes `seconds`.
std::size_t checked(std::size_t calls, double seconds, std::size_t together, std::size_t done = 0) {
  OutputCheckPlan plan(done, calls);
  double elapsed = 0;
  while (const auto count = plan.next(together, elapsed)) {
    EXPECT_LE(count, together);
    plan.checked(count);
    elapsed += static_cast<double>(count) * seconds;
  }
  return plan.done();
}

TEST(OutputCheckPlan, ChecksAllCallsThatAreFastToCheckUpToTheMaximum) {
  for (const std::size_t together : {1, 8, 32}) {
    EXPECT_EQ(checked(80, 1e-5, together), 80u);
    EXPECT_EQ(checked(1000, 1e-5, together, 2), OutputCheckPlan::most);
    EXPECT_EQ(checked(3, 1e-5, together), 3u);
  }
  EXPECT_EQ(checked(2, 1e-5, 8, 2), 2u);
}

TEST(OutputCheckPlan, ChecksSlowerCallsWithinTheTimeLimitAndTheMinimumInAnyCase) {
  for (const std::size_t together : {1, 8, 32}) {
    EXPECT_NEAR(static_cast<double>(checked(80, 1e-3, together)), 20, 1);
    EXPECT_EQ(checked(80, 10e-3, together), OutputCheckPlan::least);
  }
}

TEST(OutputCheckPlan, ChecksFewerCallsIfEachTakesLong) {
  EXPECT_EQ(checked(80, 0.04, 1), 6u);
  EXPECT_EQ(checked(80, 1, 1), OutputCheckPlan::few);
  EXPECT_EQ(checked(80, 1, 8, 2), OutputCheckPlan::few) << "with two that were compared in full";
  EXPECT_EQ(checked(80, 1, 8, 5), 6u) << "one check says how long they take";
}

TEST(OutputCheckPlan, ChecksWholeOutputsOfTheFirstCalls) {
  OutputCheckPlan plan(2, 80);
  EXPECT_EQ(plan.next(8, 0), 2u) << "until one knows how long they take";
  plan.checked(2);
  EXPECT_TRUE(plan.whole_outputs());
  EXPECT_EQ(plan.next(8, 1e-3), 2u);
  plan.checked(2);
  EXPECT_FALSE(plan.whole_outputs());
  EXPECT_EQ(plan.next(32, 2e-3), 6u) << "to the least";
  plan.checked(6);
  EXPECT_EQ(plan.next(32, 3e-3), 32u);
}

}  // namespace
}  // namespace ridgeline::judge
