// What is attributed to categories and to strategies, on counts that others published and on known truth.
#include "engine/compare/attribution.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace ridgeline::compare {
namespace {

/// `solved[s]` of 176 tasks are solved by strategy s. Categories are dealt out in turn, so that they explain
/// next to nothing.
std::vector<SolvedTrial> published() {
  constexpr std::array solved{30, 54, 19, 40};  // KernelBench-X's four methods that answer its form
  std::vector<SolvedTrial> trials;
  for (std::size_t strategy = 0; strategy < solved.size(); ++strategy)
    for (std::size_t task = 0; task < 176; ++task)
      trials.push_back({task, task % 15, strategy, static_cast<int>(task * 37 % 176) < solved[strategy]});
  return trials;
}

TEST(Attribution, GivesTheDeviancesOfPublishedCounts) {
  const auto found = attribute(published());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->trials, 704);
  EXPECT_EQ(found->solved, 143);
  EXPECT_EQ(found->tasks, 176);
  EXPECT_NEAR(found->null_deviance, 710.6, 0.05);
  EXPECT_NEAR(found->strategy.share_alone, 0.033, 0.0005);
  EXPECT_EQ(found->strategy.degrees, 3);
  EXPECT_EQ(found->category.degrees, 14);
  EXPECT_NEAR(found->strategy.per_degree, found->strategy.drop / 3, 1e-12);
  EXPECT_NEAR(found->strategy.adjusted, (found->strategy.drop - 3) / 710.6, 1e-4);
  EXPECT_GE(found->strategy.drop, 0.999 * found->strategy.share_alone * found->null_deviance)
      << "beside categories a strategy explains no less here";
  EXPECT_EQ(found->strategy.p, 0.001) << "no permutation reaches it";
}

TEST(Attribution, FindsTheFactorThatDecides) {
  std::vector<SolvedTrial> trials;
  for (std::size_t task = 0; task < 60; ++task)
    for (std::size_t strategy = 0; strategy < 3; ++strategy)
      trials.push_back({task, task % 3, strategy, task % 3 == 0 || (task + strategy) % 7 == 0});
  const auto by_category = attribute(trials);
  ASSERT_TRUE(by_category);
  EXPECT_GT(by_category->category.share, 0.5);
  EXPECT_EQ(by_category->category.p, 0.001);
  EXPECT_LT(by_category->strategy.share, 0.02);
  EXPECT_GT(by_category->strategy.p, 0.1);
  EXPECT_LE(by_category->category.share_interval.low, by_category->category.share);
  EXPECT_GE(by_category->category.share_interval.high, by_category->category.share);
  for (auto& trial : trials) trial.solved = trial.strategy == 2 || (trial.task + trial.strategy) % 7 == 0;
  const auto by_strategy = attribute(trials);
  ASSERT_TRUE(by_strategy);
  EXPECT_GT(by_strategy->strategy.share, 0.5);
  EXPECT_EQ(by_strategy->strategy.p, 0.001);
}

TEST(Attribution, StaysFiniteWhereALevelSolvesAllOrNothing) {
  std::vector<SolvedTrial> trials;
  for (std::size_t task = 0; task < 20; ++task)
    for (std::size_t strategy = 0; strategy < 2; ++strategy)
      trials.push_back({task, task % 2, strategy, strategy == 1});
  const auto found = attribute(trials);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->strategy.share, 1, 1e-3);
  EXPECT_NEAR(found->category.drop, 0, 1e-3);
  EXPECT_EQ(found->category.p, 1) << "no permutation explains less than nothing";
}

TEST(Attribution, IsNoneWhereThereIsNothingToTellApart) {
  const std::vector<SolvedTrial> one_strategy{{0, 0, 5, true}, {1, 1, 5, false}},
      one_category{{0, 3, 0, true}, {1, 3, 1, false}}, all_solved{{0, 0, 0, true}, {1, 1, 1, true}};
  EXPECT_FALSE(attribute({}));
  EXPECT_FALSE(attribute(one_strategy));
  EXPECT_FALSE(attribute(one_category));
  EXPECT_FALSE(attribute(all_solved));
}

TEST(Attribution, DoesNotDependOnOrderOrNumbers) {
  auto trials = published();
  const auto found = attribute(trials);
  std::reverse(trials.begin(), trials.end());
  for (auto& trial : trials) trial.strategy = 2 * trial.strategy + 7;
  const auto again = attribute(trials);
  ASSERT_TRUE(found && again);
  EXPECT_NEAR(again->category.drop, found->category.drop, 1e-6);
  EXPECT_NEAR(again->strategy.drop, found->strategy.drop, 1e-6);
}

}  // namespace
}  // namespace ridgeline::compare
