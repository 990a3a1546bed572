#include "profiler/stopping.hpp"

#include <gtest/gtest.h>

#include "engine/core/statistics.hpp"

namespace ridgeline::profiler {
namespace {

Stop after(StoppingRule& rule, int count, double value, double spread, double seconds) {
  Random random(7);
  for (int i = 0; i < count; ++i) {
    rule.add(value * (1 + spread * (random.uniform() - 0.5)), seconds);
    if (const auto stop = rule.decide(); stop != Stop::go_on) return stop;
  }
  return Stop::go_on;
}

TEST(Stopping, NeverStopsBeforeItsLeastNumberOfSamples) {
  StoppingRule rule({.floor_samples = 8});
  EXPECT_EQ(after(rule, 7, 1e-3, 0, 1e-6), Stop::go_on);
}

TEST(Stopping, EqualSamplesStopAtTheLeastNumber) {
  StoppingRule rule({.floor_samples = 8});
  EXPECT_EQ(after(rule, 100, 1e-3, 1e-4, 1e-6), Stop::precise);
  EXPECT_EQ(rule.samples().size(), 8u);
}

TEST(Stopping, NoisySamplesNeedMoreThanTheLeastNumber) {
  StoppingRule rule({.floor_samples = 8, .target_relative_error = 0.002});
  EXPECT_NE(after(rule, 400, 1e-3, 0.05, 1e-6), Stop::go_on);
  EXPECT_GT(rule.samples().size(), 8u);
}

TEST(Stopping, LargeNoiseRunsToTheCapAndIsNeverCalledSteady) {
  StoppingRule rule({.most_samples = 10'000, .target_relative_error = 0.001, .cap_seconds = 1});
  EXPECT_EQ(after(rule, 10'000, 1e-3, 1.8, 1e-3), Stop::cap);
}

TEST(Stopping, SlopesOfNothingButNoiseAreNeverPrecise) {
  StoppingRule rule({.floor_samples = 8, .most_samples = 100});
  for (int i = 0; i < 99; ++i) {
    rule.add(i % 2 == 0 ? -1e-9 : 1e-9, 1e-6);
    EXPECT_EQ(rule.decide(), Stop::go_on) << i;
  }
  rule.add(-1e-9, 1e-6);
  EXPECT_EQ(rule.decide(), Stop::cap);
}

TEST(Stopping, DiscardedSamplesCountTowardsTheCap) {
  StoppingRule rule({.cap_seconds = 0.01});
  rule.add_discarded(0.02);
  EXPECT_EQ(rule.decide(), Stop::cap);
  EXPECT_TRUE(rule.samples().empty());
}

TEST(Stopping, AGoalEndsWhatItsIntervalAllowsAndNothingBefore) {
  StoppingRule coarse({.floor_samples = 8, .goal = 0.05});
  EXPECT_EQ(after(coarse, 400, 1e-3, 0.05, 1e-6), Stop::precise);
  EXPECT_EQ(coarse.samples().size(), 6u) << "the fewest with an interval of 95 %";
  StoppingRule fine({.most_samples = 10'000, .goal = 0.002, .reference = 1e-3});
  EXPECT_EQ(after(fine, 10'000, 1e-3, 0.05, 1e-6), Stop::precise);
  const auto interval = median_interval(fine.samples());
  EXPECT_LE(interval.high - interval.low, 2 * 0.002 * median(fine.samples()));
  EXPECT_GT(fine.samples().size(), 100u) << "neither a small error nor steady noise ends it";
}

TEST(Stopping, AGoalIsCoarserForWhatIsSlowerThanTheReference) {
  StoppingRule slow({.goal = 0.01, .reference = 1e-4}), equal({.goal = 0.01, .reference = 1e-3});
  EXPECT_EQ(after(slow, 400, 1e-3, 0.15, 1e-6), Stop::precise);
  EXPECT_EQ(slow.samples().size(), 6u) << "within 10 %, a tenth of the reference's speed is within 0.01";
  after(equal, 400, 1e-3, 0.15, 1e-6);
  EXPECT_GT(equal.samples().size(), 20u);
}

TEST(Stopping, AGoalStopsAtTheCapToo) {
  StoppingRule rule({.cap_seconds = 0.01, .goal = 1e-6});
  EXPECT_EQ(after(rule, 400, 1e-3, 0.05, 1e-3), Stop::cap);
}

TEST(Stopping, OneOutlierHardlyChangesTheNoise) {
  StoppingRule rule({});
  for (int i = 0; i < 20; ++i) rule.add(1.0, 0);
  rule.add(100.0, 0);
  EXPECT_EQ(rule.relative_noise(), 0);
}

}  // namespace
}  // namespace ridgeline::profiler
