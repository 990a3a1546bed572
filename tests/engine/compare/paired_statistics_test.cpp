#include "engine/compare/paired_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ridgeline::compare {
namespace {

TEST(SignFlip, IsExactForAFewDifferences) {
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}), 2.0 / 32);
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector{-1.0, -2.0, -3.0, -4.0, -5.0}), 2.0 / 32) << "two-sided";
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector{1.0, 2.0, 3.0}), 2.0 / 8);
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector{3.0, 1.0, -1.0}), 6.0 / 8)
      << "sums 5, 3, 3, 1 and their opposites";
}

TEST(SignFlip, LeavesOutTasksWithoutADifference) {
  EXPECT_DOUBLE_EQ(sign_flip_p(std::vector{0.0, 1.0, 0.0, 2.0, 3.0}), 2.0 / 8);
  EXPECT_EQ(sign_flip_p(std::vector{0.0, 0.0}), 1);
  EXPECT_EQ(sign_flip_p(std::vector<double>{}), 1);
}

TEST(SignFlip, OfManyDifferencesIsNearTheNormalTestAndNeverZero) {
  std::vector<double> differences;
  for (int i = 0; i < 100; ++i) differences.push_back(i % 2 == 0 ? 1.0 : -1.0);
  for (int i = 0; i < 20; ++i) differences[static_cast<std::size_t>(2 * i + 1)] = 1.0;
  // The sum is 40, its standard deviation under chance 10: z = 4 less half a step of 2.
  EXPECT_NEAR(sign_flip_p(differences), std::erfc(3.9 / std::sqrt(2.0)), 2e-4);
  std::fill(differences.begin(), differences.end(), 1.0);
  EXPECT_DOUBLE_EQ(sign_flip_p(differences), 1.0 / 10'001);
}

TEST(McNemar, IsTheExactBinomialTest) {
  EXPECT_EQ(mcnemar_p(0, 0), 1);
  EXPECT_DOUBLE_EQ(mcnemar_p(5, 0), 2.0 / 32);
  EXPECT_NEAR(mcnemar_p(8, 2), 2 * (1 + 10 + 45) / 1024.0, 1e-12);
  EXPECT_NEAR(mcnemar_p(2, 8), mcnemar_p(8, 2), 1e-15);
  EXPECT_EQ(mcnemar_p(4, 4), 1) << "the middle counts once on either side, and no p is above 1";
  EXPECT_GT(mcnemar_p(1000, 900), 0.01) << "0.5^1900 is 0 in a double";
  EXPECT_LT(mcnemar_p(1000, 900), 0.03);
}

TEST(Holm, MultipliesTheSmallestMost) {
  const auto adjusted = holm({0.04, 0.01, 0.03});
  EXPECT_DOUBLE_EQ(adjusted[1], 0.03);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.06);
  EXPECT_DOUBLE_EQ(adjusted[0], 0.06) << "never below one that was refuted before";
  EXPECT_EQ(holm({0.7, 0.8}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm({}).empty());
}

TEST(Bca, CoversTheMeanOfASkewedDistribution) {
  // 95 % intervals of the mean of 40 exponential values hold the true mean, 1, nearly that often.
  Random random(5);
  int held = 0;
  constexpr int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(40);
    for (auto& value : values) value = -std::log(1 - random.uniform());
    const auto interval = bca_interval_of_mean(values, 1000, 0.95);
    EXPECT_LT(interval.low, interval.high);
    held += interval.low <= 1 && interval.high >= 1;
  }
  EXPECT_GT(held, 0.91 * trials);
  EXPECT_LT(held, 0.98 * trials);
}

TEST(Bca, IsAPointWhereValuesAreEqualOrOne) {
  const auto equal = bca_interval_of_mean(std::vector{2.0, 2.0, 2.0}, 1000, 0.95);
  EXPECT_EQ(equal.low, 2);
  EXPECT_EQ(equal.high, 2);
  EXPECT_EQ(bca_interval_of_mean(std::vector{3.0}, 1000, 0.95).high, 3);
  EXPECT_EQ(bca_interval_of_mean(std::vector<double>{}, 1000, 0.95).high, 0);
}

TEST(ClusteredInterval, IsAsWideForFourSeedsThatAgreeAsForOne) {
  std::vector<Cluster> one, four;
  Random random(3);
  for (int task = 0; task < 30; ++task) {
    const double value = random.uniform();
    one.push_back({value, 1});
    four.push_back({4 * value, 4});
  }
  const auto narrow = clustered_interval(four, 2000, 0.95), wide = clustered_interval(one, 2000, 0.95);
  EXPECT_DOUBLE_EQ(narrow.low, wide.low);
  EXPECT_DOUBLE_EQ(narrow.high, wide.high);
  EXPECT_GT(wide.high - wide.low, 0.1);
}

}  // namespace
}  // namespace ridgeline::compare
