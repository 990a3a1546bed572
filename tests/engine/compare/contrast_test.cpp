// What is said of two strategies, task by task.
#include "engine/compare/contrast.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "engine/compare/compare.hpp"
#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

/// A kernel whose speed-up is known to within a share of itself.
CandidateOutcome within(double speedup, double share) {
  auto outcome = correct(speedup);
  outcome.speedup_low = speedup * (1 - share);
  outcome.speedup_high = speedup * (1 + share);
  return outcome;
}

TEST(Contrast, IsOverTheTasksThatBothTried) {
  const auto comparison =
      compare({trajectory("a", "t1", {correct(4)}), trajectory("a", "t2", {correct(2)}),
               trajectory("a", "alone", {correct(100)}), trajectory("b", "t1", {correct(2)}),
               trajectory("b", "t2", {correct(2)}), trajectory("b", "lost", {lost()})},
              {});
  ASSERT_EQ(comparison.contrasts.size(), 1u);
  const auto& contrast = comparison.contrasts[0];
  EXPECT_EQ(contrast.tasks, 2);
  EXPECT_EQ(contrast.tasks_apart, 1);
  EXPECT_DOUBLE_EQ(contrast.kept.mean, std::sqrt(2.0)) << "2 and 1";
  EXPECT_EQ(contrast.won, 1);
  EXPECT_EQ(contrast.tied, 1);
  EXPECT_EQ(contrast.differences.at(0).task, "t1");
  EXPECT_DOUBLE_EQ(contrast.differences.at(0).ratio, 2);
}

TEST(Contrast, ATaskWithoutAFasterKernelCountsOneAndOnlyBothSolvedCountAsMeasured) {
  const auto comparison = compare({trajectory("a", "t1", {correct(0.5)}), trajectory("a", "t2", {correct(4)}),
                                   trajectory("b", "t1", {correct(0.25)}), trajectory("b", "t2", {wrong()})},
                                  {});
  const auto& contrast = comparison.contrasts.at(0);
  EXPECT_DOUBLE_EQ(contrast.kept.mean, 2) << "1 and 4: slower kernels are not kept";
  EXPECT_EQ(contrast.both_solved.tasks, 1);
  EXPECT_DOUBLE_EQ(contrast.both_solved.mean, 2) << "0.5 over 0.25";
  EXPECT_DOUBLE_EQ(contrast.solved_first, 1);
  EXPECT_DOUBLE_EQ(contrast.solved_second, 0.5);
  EXPECT_EQ(contrast.more_solved_first, 1);
  EXPECT_EQ(contrast.more_solved_second, 0);
}

TEST(Contrast, SeedsOfATaskAreOneSample) {
  std::vector<ComparedTrajectory> once, often;
  for (int task = 0; task < 8; ++task)
    for (const auto* strategy : {"a", "b"}) {
      const double speedup = *strategy == 'a' ? 2.0 + 0.1 * task : 2;
      once.push_back(trajectory(strategy, "t" + std::to_string(task), {correct(speedup)}));
      for (int seed = 0; seed < 5; ++seed) often.push_back(once.back());
    }
  const auto one = compare(once, {}).contrasts.at(0), five = compare(often, {}).contrasts.at(0);
  EXPECT_EQ(five.tasks, 8);
  EXPECT_NEAR(five.kept.interval.low, one.kept.interval.low, 1e-12);
  EXPECT_NEAR(five.kept.interval.high, one.kept.interval.high, 1e-12);
  EXPECT_DOUBLE_EQ(five.p, one.p);
  EXPECT_EQ(five.solved_p, one.solved_p);
}

TEST(Contrast, IsTiedWhereTheIntervalOfTheRatioHoldsOne) {
  const auto comparison =
      compare({trajectory("a", "near", {within(2.1, 0.04)}), trajectory("b", "near", {within(2, 0.04)}),
               trajectory("a", "far", {within(2.4, 0.04)}), trajectory("b", "far", {within(2, 0.04)})},
              {});
  const auto& contrast = comparison.contrasts.at(0);
  EXPECT_EQ(contrast.won, 1);
  EXPECT_EQ(contrast.tied, 1);
  EXPECT_EQ(comparison.tasks[0].fastest, 0u);
  EXPECT_EQ(comparison.tasks[1].fastest, std::nullopt) << "no kernel is called the fastest by chance";
}

TEST(Contrast, TasksOfOneNameThatAreDefinedOtherwiseAreDifferentTasks) {
  std::vector trajectories{trajectory("a", "t", {correct(4)}), trajectory("b", "t", {correct(2)})};
  trajectories[0].task_hash = "old";
  trajectories[1].task_hash = "new";
  EXPECT_TRUE(compare(trajectories, {}).contrasts.empty());
}

TEST(NoiseFloor, IsMeasuredOnKernelsThatWereEvaluatedTwice) {
  std::vector<ComparedTrajectory> trajectories;
  for (int i = 0; i < 40; ++i) {
    auto again = correct(2);
    again.speedup = i == 0 ? 3 : 2 * (1 + 0.001 * i);
    again.evaluated_at = i;
    trajectories.push_back(trajectory("a", "t" + std::to_string(i / 2), {again}));
  }
  const auto floors = noise_floors(trajectories);
  ASSERT_EQ(floors.size(), 1u);
  EXPECT_EQ(floors[0].device, "cpu");
  EXPECT_EQ(floors[0].kernels, 20);
  EXPECT_EQ(floors[0].repeats, 20);
  EXPECT_GT(floors[0].ratio, 1.0009);
  EXPECT_LT(floors[0].ratio, 1.1) << "one of twenty may be further apart";
}

TEST(NoiseFloor, ACopyOfAnEvaluationIsNoRepeat) {
  const auto once = trajectory("a", "t", {correct(2)});
  EXPECT_TRUE(noise_floors({once, once}).empty());
  EXPECT_NE(describe(noise_floors({once, once})).find("not known"), std::string::npos);
}

TEST(NoiseFloor, EvaluationsUnderOtherSettingsAreNoRepeats) {
  auto again = correct(2);
  again.evaluated_at = 1;
  auto one = trajectory("a", "t", {correct(2)}), other = trajectory("a", "t", {again});
  EXPECT_EQ(noise_floors({one, other}).size(), 1u);
  one.settings = std::make_shared<const Settings>(Settings{{"evaluation.isolation", "\"strict\""}});
  other.settings = std::make_shared<const Settings>(Settings{{"evaluation.isolation", "\"process\""}});
  EXPECT_TRUE(noise_floors({one, other}).empty());
}

TEST(NoiseFloor, AGainInsideItIsNoGain) {
  // Each kernel was evaluated twice, and the two differ by a tenth; strategy a is ahead by a twentieth.
  std::vector<ComparedTrajectory> trajectories;
  for (int task = 0; task < 20; ++task) {
    const auto name = "t" + std::to_string(task);
    auto first = correct(2), again = first;
    again.speedup = 2.2;
    again.evaluated_at = 1;
    trajectories.push_back(trajectory("b", name, {first, again}));
    trajectories.push_back(trajectory("a", name, {correct(2.3)}));
  }
  const auto comparison = compare(trajectories, {});
  EXPECT_NEAR(comparison.noise_floors.at(0).ratio, 1.1, 1e-9);
  EXPECT_LT(comparison.contrasts.at(0).p_holm, 0.001);
  EXPECT_EQ(comparison.contrasts.at(0).tied, 20);
  EXPECT_TRUE(comparison.conclusion.shown.empty()) << comparison.conclusion.sentence;
  EXPECT_NE(comparison.conclusion.sentence.find("noise floor"), std::string::npos);
}

}  // namespace
}  // namespace ridgeline::compare
