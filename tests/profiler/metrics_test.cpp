// Sums of named scopes.
#include "profiler/metrics.hpp"

#include <gtest/gtest.h>

#include "profiler/process_clock.hpp"

namespace ridgeline::profiler {
namespace {

void spend(double seconds) {
  for (const double begin = wall_seconds(); wall_seconds() - begin < seconds;) {
  }
}

TEST(Metrics, EachScopeAddsToTheSumOfItsName) {
  take_metrics();
  {
    const ScopedMetric whole("whole");
    for (int i = 0; i < 3; ++i) {
      const ScopedMetric part("part");
      spend(0.002);
    }
    spend(0.004);
  }
  const auto sums = take_metrics();
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0].name, "whole") << "the greatest first, though it ended last";
  EXPECT_EQ(sums[0].count, 1u);
  EXPECT_EQ(sums[1].name, "part");
  EXPECT_EQ(sums[1].count, 3u);
  EXPECT_GE(sums[1].seconds, 0.006);
  EXPECT_GE(sums[0].seconds, sums[1].seconds + 0.004) << "a part counts in what it lies in too";
}

TEST(Metrics, TakingTheSumsStartsThemAnew) {
  {
    const ScopedMetric one("one");
  }
  EXPECT_EQ(take_metrics().size(), 1u);
  EXPECT_TRUE(take_metrics().empty());
}

}  // namespace
}  // namespace ridgeline::profiler
