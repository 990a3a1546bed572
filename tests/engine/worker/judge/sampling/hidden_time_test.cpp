#include "engine/worker/judge/sampling/hidden_time.hpp"

#include <gtest/gtest.h>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {
namespace {

/// Around `centre`, by up to `width` of it to either side.
std::vector<double> around(double centre, double width, std::size_t count, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(centre * (1 + width * (2 * random.uniform() - 1)));
  return values;
}

TEST(HiddenTime, WorkAfterAReplyIsChargedBatchByBatch) {
  const auto pair_of = [](double single, double twice) {
    return BatchPair{
        .longer_calls = 4, .shorter_calls = 2, .longer = {.settle = twice}, .shorter = {.settle = single}};
  };
  EXPECT_DOUBLE_EQ(time_after_replies(pair_of(1e-4, 1e-4), 2e-4), 0);
  EXPECT_DOUBLE_EQ(time_after_replies(pair_of(8e-4, 1e-4), 2e-4), 1e-4) << "after one of them alone";
  EXPECT_DOUBLE_EQ(time_after_replies(pair_of(8e-4, 14e-4), 2e-4), 3e-4);
}

TEST(HiddenTime, IsFoundWhereSlopesExceedWindows) {
  EXPECT_NEAR(hidden_time(around(1.3, 0.05, 12), around(1, 0.05, 12, 2)), 1.3, 0.05);
}

TEST(HiddenTime, IsNoneIfBothSidesShowIt) {
  EXPECT_EQ(hidden_time(around(1.3, 0.02, 12), around(1.3, 0.02, 12, 2)), 1);
}

TEST(HiddenTime, IsNoneIfItIsLittle) {
  EXPECT_EQ(hidden_time(around(1.04, 0.001, 40), around(1, 0.001, 40, 2)), 1);
}

TEST(HiddenTime, IsNotSeenInABusyHost) {
  for (std::uint64_t seed = 0; seed < 300;
       ++seed)  // medians alone differ by more than 5 % in a third of these
    EXPECT_EQ(hidden_time(around(1, 0.6, 30, 2 * seed), around(1, 0.6, 30, 2 * seed + 1)), 1) << seed;
}

TEST(HiddenTime, IsNotClaimedForFewPairs) {
  EXPECT_EQ(hidden_time(around(2, 0.01, 7), around(1, 0.01, 20)), 1);
  EXPECT_EQ(hidden_time(around(2, 0.01, 20), around(1, 0.01, 7)), 1);
  EXPECT_EQ(hidden_time({}, {}), 1);
}

TEST(HiddenTime, IsNotClaimedIfTheBaselinesSlopesMayBeZero) {
  auto theirs = around(0.1, 0.1, 12);
  for (std::size_t i = 0; i < 7; ++i) theirs[i] = -0.1;
  EXPECT_EQ(hidden_time(around(2, 0.01, 12), theirs), 1);
}

}  // namespace
}  // namespace ridgeline::judge
