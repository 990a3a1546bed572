#include "engine/compare/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

bool noted(const Comparison& comparison, const std::string& part) {
  return std::any_of(comparison.notes.begin(), comparison.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

std::vector<ComparedTrajectory> two_strategies() {
  return {trajectory("single", "softmax", {correct(0.5)}), trajectory("single", "gemm", {broken()}, "MatMul"),
          trajectory("loop", "softmax", {wrong(), critic, correct(2), correct(4)}),
          trajectory("loop", "gemm", {correct(1), wrong(), correct(1), broken()}, "MatMul")};
}

TEST(Compare, CutsAllAtTheLargestNumberOfCallsByDefault) {
  const auto comparison = compare(two_strategies(), {});
  EXPECT_EQ(comparison.limits.calls, 4);
  EXPECT_EQ(comparison.unit, Unit::calls);
  ASSERT_EQ(comparison.strategies.size(), 2u);
  const auto& loop = comparison.strategies[1];
  EXPECT_EQ(loop.label, "loop");
  EXPECT_EQ(loop.correct, 2);
  EXPECT_DOUBLE_EQ(loop.speed.mean, 2) << "geometric mean of 4 and 1";
  EXPECT_EQ(loop.calls, 8);
  EXPECT_EQ(loop.tokens, 800);
  EXPECT_EQ(loop.evaluations, 7);
  EXPECT_NEAR(loop.usd, 0.08, 1e-12);
  EXPECT_TRUE(noted(comparison, "single never used more than 1 of 4 calls"));
}

TEST(Compare, DoesNotCountSpendingBeyondTheCut) {
  const auto comparison = compare(two_strategies(), {.calls = 2});
  const auto& loop = comparison.strategies[1];
  EXPECT_EQ(loop.correct, 1);
  EXPECT_EQ(loop.compiled, 2);
  EXPECT_EQ(loop.calls, 4);
  EXPECT_EQ(loop.evaluations, 3);
}

TEST(Compare, ScoresTheLastCandidateOnRequest) {
  const auto comparison = compare(two_strategies(), {.score_last = true});
  const auto& loop = comparison.strategies[1];
  EXPECT_EQ(loop.correct, 1);
  EXPECT_EQ(loop.compiled, 1);
  EXPECT_DOUBLE_EQ(loop.speed.mean, 4);
}

TEST(Compare, FastPCountsOnlyKernelsFasterThanP) {
  const auto comparison = compare({trajectory("s", "a", {correct(0.5)}), trajectory("s", "b", {correct(1)}),
                                   trajectory("s", "c", {correct(1.6)}), trajectory("s", "d", {correct(0)}),
                                   trajectory("s", "e", {wrong()})},
                                  {});
  const std::array expected{4, 2, 2, 1, 1, 0};  // at 0, 0.5, 0.8, 1, 1.5, 2
  EXPECT_EQ(comparison.strategies[0].fast, expected);
  EXPECT_EQ(comparison.strategies[0].speed.kernels, 3) << "a kernel without a time has no speed-up";
}

TEST(Compare, CountsAFlaggedKernelAsCorrectAndNotTimed) {
  const std::vector<ComparedTrajectory> trajectories{
      trajectory("s", "softmax", {correct(2), flagged(90), wrong()}),
      trajectory("s", "gemm", {flagged(50)}, "MatMul")};
  const auto comparison = compare(trajectories, {});
  const auto& row = comparison.strategies[0];
  EXPECT_EQ(row.correct, 2);
  EXPECT_EQ(row.flagged, 2);
  EXPECT_EQ(row.speedups, std::vector<double>{2}) << "the fastest that nothing speaks against";
  EXPECT_EQ(row.fast[0], 2);
  EXPECT_EQ(row.fast[3], 1);
  EXPECT_EQ(comparison.rounds[0].flagged, 1);
  EXPECT_EQ(comparison.rounds[0].speed.kernels, 1);
  EXPECT_DOUBLE_EQ(comparison.unit_curves.front().curves[0].back().speedup, std::sqrt(2.0));
  EXPECT_TRUE(comparison.rooflines.empty());
  const auto& gemm = comparison.tasks[0].results[0];
  EXPECT_EQ(gemm.best, std::nullopt);
  EXPECT_EQ(gemm.flagged, 1);
  EXPECT_EQ(comparison.tasks[1].results[0].best, 2.0);
  EXPECT_TRUE(noted(comparison,
                    "figures deserve doubt: 2 (the first, s on softmax: case small: operations over peak "
                    "(2.0x)); they count as correct and not timed"));
}

TEST(Compare, CountsAndMarksFlaggedTimesOnRequest) {
  const auto comparison =
      compare({trajectory("s", "softmax", {correct(2), flagged(90)})}, {.include_flagged = true});
  EXPECT_DOUBLE_EQ(comparison.strategies[0].speed.mean, 90);
  EXPECT_TRUE(comparison.tasks[0].results[0].best_flagged);
  ASSERT_EQ(comparison.rooflines.size(), 1u);
  EXPECT_TRUE(comparison.rooflines[0].flagged);
  EXPECT_TRUE(noted(comparison, "they count, marked !"));
}

TEST(Compare, KeepsATrajectoryWithoutAKernelInTheDenominators) {
  const auto comparison =
      compare({trajectory("s", "softmax", {correct(4)}), trajectory("s", "gemm", {})}, {});
  const auto& row = comparison.strategies[0];
  EXPECT_EQ(row.trajectories, 2);
  EXPECT_EQ(row.correct, 1);
  EXPECT_EQ(comparison.by_category[0][0].trajectories, 2);
  EXPECT_DOUBLE_EQ(comparison.unit_curves.front().curves[0].back().correct, 0.5);
  EXPECT_DOUBLE_EQ(comparison.unit_curves.front().curves[0].back().speedup, 2) << "geometric mean of 4 and 1";
}

TEST(Compare, ListsUnfinishedTrajectoriesApartWithTheirReasons) {
  std::vector<ComparedTrajectory> trajectories{
      trajectory("s", "softmax", {correct(4)}), trajectory("s", "gemm", {broken(), wrong()}),
      trajectory("s", "abs", {correct(9)}), trajectory("t", "softmax", {})};
  trajectories[1].incomplete = trajectories[3].incomplete = "the cap total.usd was reached";
  trajectories[2].incomplete = "running";
  const auto comparison = compare(trajectories, {});
  const auto& row = comparison.strategies[0];
  EXPECT_EQ(row.trajectories, 1);
  EXPECT_EQ(row.incomplete, 2);
  EXPECT_EQ(row.correct, 1);
  EXPECT_DOUBLE_EQ(row.speed.mean, 4) << "a kernel of one that goes on is not its last word";
  EXPECT_EQ(row.calls, 1);
  EXPECT_EQ(comparison.limits.calls, 1) << "no finished one used more";
  EXPECT_EQ(comparison.by_category[0][0].trajectories, 1);
  EXPECT_EQ(comparison.tasks.size(), 1u);
  EXPECT_DOUBLE_EQ(comparison.unit_curves.front().curves[0].back().correct, 1);
  ASSERT_EQ(comparison.strategies.size(), 2u) << "a strategy of which nothing finished is named too";
  EXPECT_EQ(comparison.strategies[1].trajectories, 0);
  EXPECT_EQ(comparison.strategies[1].incomplete, 1);
  EXPECT_TRUE(noted(comparison, "incomplete: 3 (2 the cap total.usd was reached, 1 running)"));
}

TEST(Compare, DoesNotCountUnjudgedCandidatesAsWrong) {
  const auto comparison = compare(
      {trajectory("s", "softmax", {lost(), correct(4)}), trajectory("s", "gemm", {lost(), lost()}, "MatMul"),
       trajectory("s", "abs", {wrong(), lost()})},
      {});
  const auto& row = comparison.strategies[0];
  EXPECT_EQ(row.trajectories, 2) << "of the second nothing is known";
  EXPECT_EQ(row.not_judged, 1);
  EXPECT_EQ(row.candidates_not_judged, 4);
  EXPECT_EQ(row.compiled, 2);
  EXPECT_EQ(row.correct, 1);
  EXPECT_EQ(row.persistent.kernels, 1) << "a lost evaluation is no failure to be rescued from";
  EXPECT_DOUBLE_EQ(comparison.unit_curves.front().curves[0].back().correct, 0.5);
  EXPECT_EQ(comparison.by_category[0][0].trajectories, 0);
  EXPECT_EQ(comparison.by_category[0][0].not_judged, 1);
  EXPECT_EQ(comparison.rounds[0].candidates, 1);
  EXPECT_EQ(comparison.rounds[0].not_judged, 2);
  EXPECT_EQ(comparison.rounds[1].candidates, 1);
  EXPECT_EQ(comparison.rounds[1].correct, 1);
  EXPECT_EQ(comparison.rounds[1].not_judged, 2);
  EXPECT_EQ(comparison.tasks[1].task, "gemm");
  EXPECT_EQ(comparison.tasks[1].results[0].trajectories, 0);
  EXPECT_EQ(comparison.tasks[1].results[0].not_judged, 1);
  EXPECT_TRUE(noted(comparison, "candidates not judged, since the machine failed: 4"));
  EXPECT_TRUE(noted(comparison, "1 trajectories without any other are not scored"));
  EXPECT_FALSE(noted(comparison, "not tried by every strategy"));
}

TEST(Compare, ScoresTheLastJudgedCandidateIfTheLastWasLost) {
  const auto comparison =
      compare({trajectory("s", "softmax", {wrong(), correct(3), lost()})}, {.score_last = true});
  EXPECT_EQ(comparison.strategies[0].correct, 1);
}

TEST(Compare, SeparatesRescuedFromPersistentKernels) {
  const auto comparison =
      compare({trajectory("s", "a", {wrong(), correct(1)}), trajectory("s", "b", {broken(), correct(4)}),
               trajectory("s", "c", {correct(2), wrong(), correct(8)})},
              {});
  const auto& row = comparison.strategies[0];
  EXPECT_EQ(row.rescued.kernels, 2);
  EXPECT_DOUBLE_EQ(row.rescued.mean, 2);
  EXPECT_EQ(row.persistent.kernels, 1);
  EXPECT_DOUBLE_EQ(row.persistent.mean, 8);
}

TEST(Compare, TheIntervalContainsTheMeanInAnyOrder) {
  std::vector<ComparedTrajectory> trajectories;
  for (int i = 1; i <= 20; ++i)
    trajectories.push_back(trajectory("s", "t" + std::to_string(i), {correct(0.2 * i)}));
  const auto first = compare(trajectories, {}).strategies[0].speed;
  std::reverse(trajectories.begin(), trajectories.end());
  const auto second = compare(trajectories, {}).strategies[0].speed;
  EXPECT_LT(first.interval.low, first.mean);
  EXPECT_GT(first.interval.high, first.mean);
  EXPECT_GT(first.interval.low, 0.2);
  EXPECT_LT(first.interval.high, 4);
  EXPECT_EQ(first.interval.low, second.interval.low);
  EXPECT_EQ(first.interval.high, second.interval.high);
}

TEST(Compare, RoundsCountTheirCandidatesAndTheTrajectoriesSolvedSoFar) {
  const auto comparison = compare(two_strategies(), {});
  ASSERT_EQ(comparison.rounds.size(), 5u) << "one of single, four of loop";
  const auto& third = comparison.rounds[3];
  EXPECT_EQ(third.strategy, 1u);
  EXPECT_EQ(third.round, 2);
  EXPECT_EQ(third.candidates, 2);
  EXPECT_EQ(third.correct, 2);
  EXPECT_EQ(third.solved, 2);
  EXPECT_DOUBLE_EQ(third.best.mean, std::sqrt(2.0));
  EXPECT_EQ(comparison.rounds[2].candidates, 1) << "the critic's call brought none";
  EXPECT_EQ(comparison.rounds[2].solved, 1);
}

TEST(Compare, ListsCategoriesByName) {
  const auto comparison = compare(two_strategies(), {});
  EXPECT_EQ(comparison.categories, (std::vector<std::string>{"MatMul", "Math"}));
  EXPECT_EQ(comparison.by_category[0][0].correct, 0);
  EXPECT_EQ(comparison.by_category[0][1].correct, 1);
  EXPECT_DOUBLE_EQ(comparison.by_category[1][1].speed.mean, 4);
}

TEST(Compare, NamesTheFastestStrategyOfEachTask) {
  const auto comparison = compare(two_strategies(), {});
  ASSERT_EQ(comparison.tasks.size(), 2u);
  EXPECT_EQ(comparison.tasks[1].task, "softmax");
  EXPECT_EQ(comparison.tasks[1].fastest, 1u);
  EXPECT_EQ(comparison.tasks[1].results[1].best, 4.0);
  EXPECT_EQ(comparison.tasks[1].results[1].candidate, correct(4).candidate);
  EXPECT_EQ(comparison.tasks[0].results[0].best, std::nullopt);
}

TEST(Compare, SaysWhenStrategiesTriedDifferentTasks) {
  const auto trajectories =
      std::vector{trajectory("a", "softmax", {wrong()}), trajectory("b", "gemm", {wrong()})};
  const auto comparison = compare(trajectories, {});
  EXPECT_TRUE(noted(comparison, "2 of 2 tasks were not tried by every strategy"));
  EXPECT_EQ(comparison.tasks[0].fastest, std::nullopt);
  EXPECT_FALSE(noted(compare(two_strategies(), {}), "not tried"));
}

TEST(Compare, ComparesModelsApart) {
  auto other = trajectory("loop", "softmax", {correct(3)});
  other.model = "larger";
  const auto comparison = compare({trajectory("loop", "softmax", {correct(2)}), other}, {});
  ASSERT_EQ(comparison.strategies.size(), 2u);
  EXPECT_EQ(comparison.strategies[0].label, "loop · model");
  EXPECT_EQ(comparison.strategies[1].label, "loop · larger");
}

TEST(Curve, RisesWithTheBudgetAndEndsAtTheCut) {
  const auto comparison = compare(two_strategies(), {.calls = 3});
  const auto& loop = comparison.unit_curves.front().curves[1];
  ASSERT_EQ(loop.size(), 4u);
  EXPECT_EQ(loop[0].budget, 0);
  EXPECT_EQ(loop[0].correct, 0);
  EXPECT_EQ(loop[1].correct, 0.5);
  EXPECT_EQ(loop[3].correct, 1);
  EXPECT_DOUBLE_EQ(loop[3].speedup, std::sqrt(2.0));
  for (std::size_t i = 1; i < loop.size(); ++i) EXPECT_GE(loop[i].speedup, loop[i - 1].speedup);
  EXPECT_DOUBLE_EQ(comparison.unit_curves.front().curves[0].back().speedup, 1)
      << "a kernel slower than eager is not taken";
}

TEST(Curve, OfMoneyEndsAtTheAmountSpent) {
  const auto comparison = compare(two_strategies(), {.usd = 0.035});
  EXPECT_EQ(comparison.unit, Unit::usd);
  EXPECT_NEAR(comparison.unit_curves.front().curves[1].back().budget, 0.03, 1e-12);
  EXPECT_EQ(comparison.unit_curves.front().curves[1].back().correct, 1);
}

TEST(Curve, IsThereForEveryBudgetThatWasSpentTheAskedOneFirst) {
  const auto comparison = compare(two_strategies(), {.usd = 0.035});
  std::vector<Unit> units;
  for (const auto& curves : comparison.unit_curves) units.push_back(curves.unit);
  EXPECT_EQ(units, (std::vector{Unit::usd, Unit::calls, Unit::tokens, Unit::evaluations}));
  for (const auto& curves : comparison.unit_curves) {
    ASSERT_EQ(curves.curves.size(), 2u);
    EXPECT_DOUBLE_EQ(curves.curves[1].back().speedup, comparison.unit_curves.front().curves[1].back().speedup)
        << "all of the budget is all of any budget";
  }
}

TEST(Curve, HasAnIntervalOverTasks) {
  std::vector<ComparedTrajectory> trajectories;
  for (int task = 0; task < 20; ++task)
    for (int seed = 0; seed < 3; ++seed)
      trajectories.push_back(trajectory("loop", "task " + std::to_string(task), {correct(1 + 0.1 * task)}));
  const auto point = compare(trajectories, {}).unit_curves.front().curves[0].back();
  EXPECT_LT(point.speedup_interval.low, point.speedup);
  EXPECT_GT(point.speedup_interval.high, point.speedup);
  // The mean logarithm over 20 tasks has a standard error of 0.071: seeds of one task add nothing.
  EXPECT_NEAR(std::log(point.speedup_interval.high / point.speedup_interval.low), 2 * 1.96 * 0.071, 0.05);
  EXPECT_EQ(point.correct_interval.low, 1);
  EXPECT_EQ(point.correct_interval.high, 1);
}

TEST(Compare, ListsEveryTrajectoryWithItsPlaceInTheStore) {
  std::vector trajectories{trajectory("single", "softmax", {correct(2)}),
                           trajectory("single", "gemm", {wrong()}), trajectory("single", "abs", {lost()}),
                           trajectory("single", "relu", {})};
  trajectories[3].incomplete = "interrupted";
  for (std::size_t i = 0; i < trajectories.size(); ++i) trajectories[i].id = static_cast<int>(i) + 10;
  const auto results = compare(trajectories, {}).trajectories;
  ASSERT_EQ(results.size(), 4u);
  using enum TrajectoryEnd;
  const std::vector ends{solved, unsolved, not_judged, incomplete};
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].state, ends[i]);
    EXPECT_EQ(results[i].id, static_cast<int>(i) + 10);
  }
  EXPECT_EQ(results[0].score.speedup, 2);
}

TEST(Budget, CutsAllAtTheSameValueOfWhateverIsNamed) {
  auto trajectories = two_strategies();
  for (auto& trajectory : trajectories)
    for (std::size_t i = 0; i < trajectory.points.size(); ++i) {
      trajectory.points[i].wall_seconds = 10.0 * static_cast<double>(i + 1);
      trajectory.points[i].gpu_seconds = 0.5 * static_cast<double>(i + 1);
    }
  // Each of them leaves the first two points of every trajectory.
  for (const auto& [options, unit] : {std::pair{CompareOptions{.calls = 2}, Unit::calls},
                                      std::pair{CompareOptions{.tokens = 200}, Unit::tokens},
                                      std::pair{CompareOptions{.usd = 0.021}, Unit::usd},
                                      std::pair{CompareOptions{.wall_seconds = 25}, Unit::wall_seconds},
                                      std::pair{CompareOptions{.gpu_seconds = 1}, Unit::gpu_seconds}}) {
    const auto comparison = compare(trajectories, options);
    SCOPED_TRACE(to_string(unit));
    EXPECT_EQ(comparison.unit, unit);
    EXPECT_EQ(comparison.strategies[1].calls, 4);
    EXPECT_DOUBLE_EQ(comparison.strategies[1].wall_seconds, 40);
    EXPECT_DOUBLE_EQ(comparison.strategies[1].gpu_seconds, 2);
    EXPECT_EQ(comparison.strategies[1].correct, 1);
  }
  EXPECT_EQ(compare(trajectories, {.evaluations = 2}).strategies[1].evaluations, 4);
  EXPECT_EQ(describe_budget(compare(trajectories, {.wall_seconds = 25})),
            "at most 4 calls, 25 s of wall time a trajectory; the best candidate so far is scored");
}

}  // namespace
}  // namespace ridgeline::compare
