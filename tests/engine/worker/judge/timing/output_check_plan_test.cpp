#include "engine/worker/judge/timing/output_check_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
    EXPECT_NEAR(static_cast<double>(checked(80, 0.5e-3, together)), 40, 1);
    EXPECT_EQ(checked(80, 5e-3, together), OutputCheckPlan::least);
  }
}

TEST(OutputCheckPlan, ChecksFewerCallsIfEachTakesLong) {
  EXPECT_EQ(checked(80, 0.04, 1), 6u);
  EXPECT_EQ(checked(80, 1, 1), OutputCheckPlan::few);
  EXPECT_EQ(checked(80, 1, 8, 2), OutputCheckPlan::few) << "with two that were compared in full";
  EXPECT_EQ(checked(80, 1, 8, 5), 6u) << "one check says how long they take";
}

TEST(OutputCheckPlan, ChecksAFewFirstToSeeHowLongTheyTake) {
  OutputCheckPlan plan(2, 80);
  EXPECT_EQ(plan.next(8, 0), 2u);
  plan.checked(2);
  EXPECT_EQ(plan.next(32, 1e-3), 20u) << "to the least";
  plan.checked(20);
  EXPECT_EQ(plan.next(32, 3e-3), 32u);
}

/// The chance that none of `checks` random calls is among the share that cheats.
double missed(double share, std::size_t checks) {
  return std::pow(1 - share, static_cast<double>(checks));
}

TEST(OutputCheckPlan, MissesACheatInFivePercentOfFastCallsLessThanOnceInAMillion) {
  EXPECT_LT(missed(0.05, OutputCheckPlan::most), 1e-6);
  EXPECT_LT(missed(0.5, OutputCheckPlan::least), 1e-7);
  EXPECT_LT(missed(0.5, OutputCheckPlan::few), 0.07);
}

}  // namespace
}  // namespace ridgeline::judge
