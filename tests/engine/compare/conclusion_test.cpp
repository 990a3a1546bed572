// The sentence, on made figures and over simulated campaigns whose truth is known.
#include "engine/compare/conclusion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/compare/compare.hpp"
#include "engine/compare/given_twice.hpp"
#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// `tasks` tasks on which each strategy has the speed-up that is named after it.
std::vector<ComparedTrajectory> made(int tasks, const std::vector<std::pair<std::string, double>>& speeds) {
  std::vector<ComparedTrajectory> trajectories;
  for (int task = 0; task < tasks; ++task)
    for (const auto& [strategy, speedup] : speeds)
      trajectories.push_back(
          trajectory(strategy, "t" + std::to_string(task),
                     {correct(speedup * (1 + 0.01 * ((task * 7 + strategy.size()) % 5)))}));
  return trajectories;
}

TEST(Conclusion, SaysWhichIsBetterByHowMuchAndHowSurely) {
  const auto comparison = compare(made(12, {{"loop", 3}, {"single", 2}}), {});
  const auto& [sentence, measure, shown, best] = comparison.conclusion;
  EXPECT_EQ(best, 0u);
  EXPECT_EQ(shown, std::vector<std::size_t>{0});
  EXPECT_EQ(sentence.find("loop is better than single at equal budget by 1."), 0u) << sentence;
  EXPECT_TRUE(holds(sentence, "× (95 % 1.4")) << sentence;
  EXPECT_TRUE(holds(sentence,
                    ", p < 0.001, over 12 tasks: 12 won, 0 lost, 0 tied; solved 100 % against 100 % "
                    "(p = 1.00); over the 12 that both solved 1."))
      << sentence;
}

TEST(Conclusion, NamesTheBetterFirstWhicheverStandsFirst) {
  const auto sentence = compare(made(12, {{"single", 2}, {"loop", 3}}), {}).conclusion.sentence;
  EXPECT_EQ(sentence.find("loop is better than single at equal budget by 1."), 0u) << sentence;
  EXPECT_TRUE(holds(sentence, "12 won, 0 lost")) << sentence;
}

TEST(Conclusion, ClaimsNothingOfTooFewTasksAndSaysSo) {
  const auto comparison = compare(made(5, {{"loop", 30}, {"single", 2}}), {});
  EXPECT_TRUE(comparison.conclusion.shown.empty());
  EXPECT_EQ(comparison.conclusion.best, std::nullopt);
  const auto& sentence = comparison.conclusion.sentence;
  EXPECT_EQ(sentence.find("no difference is shown at equal budget: loop against single 1"), 0u) << sentence;
  EXPECT_TRUE(holds(sentence, "5 tasks are too few to show any, 6 are the least")) << sentence;
}

TEST(Conclusion, OfSeveralStrategiesNamesTheBestOnlyIfItIsBetterThanEach) {
  const auto clear = compare(made(12, {{"loop", 4}, {"many", 2}, {"single", 2}}), {}).conclusion;
  EXPECT_EQ(clear.best, 0u);
  EXPECT_EQ(clear.sentence.find("loop is better than each other strategy: than many at equal budget by "), 0u)
      << clear.sentence;
  EXPECT_TRUE(holds(clear.sentence, "; than single by ")) << clear.sentence;
  EXPECT_TRUE(holds(clear.sentence, "(Holm over 3 pairs)")) << clear.sentence;
  const auto shared = compare(made(12, {{"loops", 4}, {"chain", 4}, {"single", 2}}), {}).conclusion;
  EXPECT_EQ(shared.best, std::nullopt);
  EXPECT_EQ(shared.shown.size(), 2u);
  EXPECT_TRUE(holds(shared.sentence, "loops is better than single at equal budget by ")) << shared.sentence;
  EXPECT_TRUE(holds(shared.sentence, "; chain is better than single by ")) << shared.sentence;
  EXPECT_TRUE(holds(shared.sentence, "no difference is shown in the other 1 of 3 pairs")) << shared.sentence;
}

TEST(Conclusion, GoesByTasksSolvedWhereNothingWasTimed) {
  std::vector<ComparedTrajectory> trajectories;
  for (int task = 0; task < 12; ++task) {
    trajectories.push_back(trajectory("loop", "t" + std::to_string(task), {correct(0)}));
    trajectories.push_back(trajectory("single", "t" + std::to_string(task), {wrong()}));
  }
  const auto conclusion = compare(trajectories, {}).conclusion;
  EXPECT_EQ(conclusion.measure, Measure::solved);
  EXPECT_EQ(conclusion.sentence,
            "loop is better than single at equal budget by 12 tasks solved more often and 0 less often, "
            "p < 0.001, over 12 tasks; solved 100 % against 0 %");
}

TEST(Conclusion, SaysWhereThereIsNothingToCompare) {
  EXPECT_TRUE(holds(compare(made(12, {{"loop", 3}}), {}).conclusion.sentence, "one strategy alone"));
  const auto apart =
      compare({trajectory("a", "t1", {correct(2)}), trajectory("b", "t2", {correct(2)})}, {}).conclusion;
  EXPECT_TRUE(holds(apart.sentence, "no task that two strategies finished")) << apart.sentence;
}

TEST(Conclusion, WhatIsGivenTwiceCountsOnce) {
  auto trajectories = made(12, {{"loop", 3}, {"single", 2}});
  for (std::size_t i = 0; i < trajectories.size(); ++i) trajectories[i].origin = "store#" + std::to_string(i);
  auto twice = trajectories;
  twice.insert(twice.end(), trajectories.begin(), trajectories.end());
  const auto once = compare(trajectories, {}), again = compare(twice, {});
  EXPECT_EQ(again.conclusion.sentence, once.conclusion.sentence);
  EXPECT_EQ(again.strategies[0].trajectories, 12);
  EXPECT_EQ(again.strategies[0].speed.interval.low, once.strategies[0].speed.interval.low);
  EXPECT_TRUE(holds(again.notes.back(), "count once: 24 left out")) << again.notes.back();
}

TEST(GivenTwice, KeepsTheCopyThatHasComeFurthest) {
  auto early = trajectory("a", "t", {wrong()}), late = trajectory("a", "t", {wrong(), correct(2)});
  early.origin = late.origin = "store#1";
  early.incomplete = "interrupted";
  std::vector trajectories{early, late, early};
  EXPECT_EQ(remove_given_twice(trajectories), 2);
  ASSERT_EQ(trajectories.size(), 1u);
  EXPECT_EQ(trajectories[0].points.size(), 2u);
}

TEST(GivenTwice, TheSameAnswersJudgedAgainAreNoFurtherSample) {
  auto first = trajectory("a", "t", {correct(2)}), again = first, other = trajectory("a", "t", {correct(3)});
  first.identity = again.identity = other.identity = "identity";
  first.origin = "one#1";
  again.origin = "two#1";
  other.origin = "three#1";
  std::vector trajectories{first, again, other};
  EXPECT_EQ(remove_given_twice(trajectories), 1);
  EXPECT_EQ(trajectories.size(), 2u) << "a model that answers otherwise the second time is another sample";
  again.identity = first.identity = "";
  trajectories = {first, again};
  EXPECT_EQ(remove_given_twice(trajectories), 0);
}

/// A campaign whose truth is known: `tasks` tasks, on each of which every strategy's speed-up is the task's
/// own, times `gain` for the first, times chance. Kernels of one task differ between seeds; one in eight
/// trajectories solves nothing.
std::vector<ComparedTrajectory> simulated(Random& random, int tasks, int strategies, int seeds, double gain,
                                          double spread, double unsolved) {
  const auto normal = [&random] {
    return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(2 * std::numbers::pi * random.uniform());
  };
  std::vector<ComparedTrajectory> trajectories;
  for (int task = 0; task < tasks; ++task) {
    const double of_task = 1.1 + 0.4 * normal();  // logarithms: three times as fast, give or take
    for (int strategy = 0; strategy < strategies; ++strategy)
      for (int seed = 0; seed < seeds; ++seed) {
        const double speed = of_task + (strategy == 0 ? std::log(gain) : 0) + spread * normal();
        auto kernel = correct(std::exp(speed));
        kernel.speedup_low = kernel.speedup * 0.98;
        kernel.speedup_high = kernel.speedup * 1.02;
        trajectories.push_back(trajectory("s" + std::to_string(strategy), "t" + std::to_string(task),
                                          {random.uniform() < unsolved ? wrong() : kernel}));
      }
  }
  return trajectories;
}

/// In how many of 1,000 campaigns the sentence claims a difference.
int claims(int tasks, int strategies, int seeds, double gain, double spread, double unsolved) {
  Random random(20261126);
  int claimed = 0;
  for (int campaign = 0; campaign < 1000; ++campaign) {
    const auto conclusion =
        compare(simulated(random, tasks, strategies, seeds, gain, spread, unsolved), {}).conclusion;
    claimed += holds(conclusion.sentence, " is better than ");
    EXPECT_EQ(holds(conclusion.sentence, " is better than "), !conclusion.shown.empty());
  }
  return claimed;
}

// 5 % of 1,000 is 50; 65 is as many as chance allows in 98 of 100 such tests.
TEST(SimulatedCampaigns, WithoutADifferenceOneIsClaimedInAtMostFivePerCent) {
  const int two = claims(40, 2, 1, 1, 0.25, 0.125);
  RecordProperty("two_strategies", two);
  EXPECT_LE(two, 65);
  EXPECT_GE(two, 20) << "a sentence that never claims anything has no use";
  const int three = claims(20, 3, 2, 1, 0.25, 0.125);
  RecordProperty("three_strategies_of_two_seeds", three);
  EXPECT_LE(three, 65);
}

TEST(SimulatedCampaigns, AGainOfFifteenPerCentIsFoundAsOftenAsTheoryHasIt) {
  // Differences have the standard deviation spread * sqrt(2) = 0.354. The paired t-test of 40 of them finds
  // log 1.15 = 0.140 with the power 0.68 (0.705 by the normal distribution).
  const int found = claims(40, 2, 1, 1.15, 0.25, 0);
  RecordProperty("found", found);
  EXPECT_NEAR(found, 680, 45) << "three standard deviations of a count of 1,000";
}

}  // namespace
}  // namespace ridgeline::compare
