#include "engine/compare/score.hpp"

#include <gtest/gtest.h>

#include "engine/compare/compare.hpp"
#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

TEST(Score, IsNothingWithoutAJudgedCandidate) {
  const auto failed = lost();
  EXPECT_FALSE(score_of(nullptr).solved);
  EXPECT_FALSE(score_of(&failed).solved);
  const auto bad = wrong();
  EXPECT_FALSE(score_of(&bad).solved);
  EXPECT_FALSE(score_of(&bad).faster_than(0));
}

TEST(Score, FollowsTheRuleThatIsAsked) {
  auto outcome = correct(3);
  outcome.faithful = false;
  EXPECT_TRUE(score_of(&outcome).solved);
  EXPECT_FALSE(score_of(&outcome, CorrectnessRule::faithful).solved);
  outcome.faithful = true;
  outcome.faithful_speedup = 2;
  EXPECT_EQ(score_of(&outcome, CorrectnessRule::faithful).speedup, 2);
}

TEST(Score, KeepsTheBaselineWhereNoKernelIsFaster) {
  const auto slow = correct(0.5), fast = correct(4);
  EXPECT_EQ(score_of(&slow).kept(), 1);
  EXPECT_EQ(score_of(&slow).speedup, 0.5) << "as measured";
  EXPECT_EQ(score_of(&fast).kept(), 4);
  EXPECT_EQ(score_of(nullptr).kept(), 1);
}

TEST(Score, IsFasterThanPStrictly) {
  const auto outcome = correct(1.5);
  EXPECT_TRUE(score_of(&outcome).faster_than(1));
  EXPECT_FALSE(score_of(&outcome).faster_than(1.5));
  const auto untimed = correct(0);
  EXPECT_TRUE(score_of(&untimed).faster_than(0)) << "fast_0 is correctness";
  EXPECT_FALSE(score_of(&untimed).faster_than(0.5));
}

TEST(ScoreTally, CountsTimedAndUntimedApart) {
  ScoreTally tally(fast_thresholds);
  const auto fast = correct(4), untimed = correct(0), bad = wrong();
  for (const auto* outcome : {&fast, &untimed, &bad}) tally.add("softmax", score_of(outcome));
  EXPECT_EQ(tally.solved(), 2);
  EXPECT_EQ(tally.untimed(), 1);
  EXPECT_EQ(tally.fast(), (std::vector<double>{2, 1, 1, 1, 1, 1}));
  EXPECT_EQ(tally.speed().kernels, 1);
  EXPECT_DOUBLE_EQ(tally.speed().mean, 4);
}

TEST(ScoreTally, HasTheQuartilesOfWhatIsKept) {
  ScoreTally tally;
  const auto slow = correct(0.5), fast = correct(4), faster = correct(8), bad = wrong();
  for (const auto* outcome : {&slow, &fast, &faster, &bad}) tally.add("softmax", score_of(outcome));
  EXPECT_EQ(tally.kept_quartiles(), (std::array<double, 3>{1, 2.5, 5})) << "of 1, 1, 4 and 8";
  EXPECT_EQ(ScoreTally().kept_quartiles(), (std::array<double, 3>{1, 1, 1}));
}

TEST(ScoreTally, WeightsSharesAlone) {
  constexpr std::array at{0.0};
  ScoreTally tally(at);
  const auto fast = correct(4);
  tally.add("softmax", score_of(&fast), 0.25);
  EXPECT_EQ(tally.solved(), 1);
  EXPECT_DOUBLE_EQ(tally.fast()[0], 0.25);
}

/// All parts of a comparison count the same trajectories as solved.
TEST(Score, IsTheSameInEveryPartOfAComparison) {
  const auto comparison =
      compare({trajectory("loop", "softmax", {wrong(), correct(2)}),
               trajectory("loop", "gemm", {correct(0.5)}), trajectory("loop", "abs", {broken(), lost()})},
              {});
  EXPECT_EQ(comparison.strategies.at(0).correct, 2);
  EXPECT_EQ(comparison.strategies[0].fast[0], 2);
  EXPECT_EQ(comparison.rounds.back().solved, 2);
  EXPECT_EQ(comparison.by_category.at(0).at(0).correct, 2);
  EXPECT_DOUBLE_EQ(comparison.unit_curves.front().curves.at(0).back().correct, 2.0 / 3);
  int correct = 0;
  for (const auto& task : comparison.tasks) correct += task.results.at(0).correct;
  EXPECT_EQ(correct, 2);
}

}  // namespace
}  // namespace ridgeline::compare
