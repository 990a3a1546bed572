// Computes KernelBench's figures on made-up trajectories.
#include "engine/compare/suite_score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/compare/compare.hpp"
#include "engine/compare/json.hpp"
#include "engine/compare/loading.hpp"
#include "engine/compare/suite_grids.hpp"
#include "engine/compare/suite_json.hpp"
#include "engine/compare/table.hpp"
#include "engine/suites/registry.hpp"
#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

SuiteTask task(const std::string& name, const std::string& level = "level1",
               Standing standing = Standing::ok) {
  return {level + "/" + name, name, level, standing, standing == Standing::ok ? "" : "because"};
}

std::vector<ScoredSuite> scored(std::vector<SuiteTask> tasks) {
  const auto* kind = suites::kind_in(R"({"suite": {"kernelbench": "clone"}})");
  return {{kind->profile().name, kind->profile().rule.value(), std::move(tasks)}};
}

/// Calls made at once, as best_of_n makes them.
ComparedTrajectory batch(std::string strategy, std::string name,
                         std::vector<std::optional<CandidateOutcome>> outcomes) {
  auto made = trajectory(std::move(strategy), std::move(name), std::move(outcomes), "level1");
  for (auto& point : made.points) point.round = 0;
  return made;
}

/// Right by the public rule alone, and so never timed.
CandidateOutcome lenient() {
  auto outcome = wrong();
  outcome.faithful = true;
  return outcome;
}
/// Right and without a baseline to be compared with.
CandidateOutcome untimed() {
  return correct(0);
}

LevelScore score_of(std::vector<ComparedTrajectory> trajectories, const std::vector<SuiteTask>& suite,
                    CorrectnessRule rule, const CompareOptions& options = {}, std::size_t level = 0) {
  const auto comparison = compare(std::move(trajectories), options, scored(suite));
  return comparison.suites.at(0).strategies.at(0).levels.at(level)[static_cast<std::size_t>(rule)];
}

TEST(FastP, CountsTasksThatAreStrictlyFaster) {
  const std::vector<SuiteTask> suite{task("a"), task("b"), task("c"), task("d")};
  const auto score = score_of({trajectory("s", "a", {correct(1)}), trajectory("s", "b", {correct(1.5)}),
                               trajectory("s", "c", {correct(3)}), trajectory("s", "d", {broken()})},
                              suite, CorrectnessRule::faithful);
  EXPECT_EQ(score.tasks, 4);
  EXPECT_EQ(score.eager.fast, (std::vector<double>{0.75, 0.75, 0.75, 0.5, 0.25, 0.25}))
      << "a tie with p is not faster than p";
  EXPECT_DOUBLE_EQ(score.eager.speed.mean, std::cbrt(4.5)) << "over the right ones alone";
  EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::correct)], 3);
  EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::compilation_error)], 1);
}

TEST(FastP, CountsARightAnswerWithoutATimeForFastZeroOnly) {
  const auto score = score_of({trajectory("s", "a", {untimed()}), trajectory("s", "b", {correct(2)})},
                              {task("a"), task("b")}, CorrectnessRule::hardened);
  EXPECT_EQ(score.eager.fast[0], 1);
  EXPECT_EQ(score.eager.fast[1], 0.5);
  EXPECT_EQ(score.eager.untimed, 1);
  EXPECT_EQ(score.eager.speed.kernels, 1);
  EXPECT_DOUBLE_EQ(score.eager.speed.mean, 2);
}

TEST(FastP, GivesEveryTaskTheSameWeightHoweverOftenItWasTried) {
  const auto score = score_of({trajectory("s", "a", {correct(2)}), trajectory("s", "a", {broken()}),
                               trajectory("s", "a", {broken()}), trajectory("s", "b", {correct(2)})},
                              {task("a"), task("b")}, CorrectnessRule::hardened);
  EXPECT_EQ(score.tasks, 2);
  EXPECT_NEAR(score.eager.fast[3], (1.0 / 3 + 1) / 2, 1e-12);
}

TEST(FastP, LeavesATaskOutIfTheMachineCouldNotJudgeIt) {
  const std::vector<SuiteTask> suite{task("a"), task("b"), task("c")};
  for (const auto rule : {CorrectnessRule::faithful, CorrectnessRule::hardened}) {
    const auto score = score_of({trajectory("s", "a", {correct(2)}), trajectory("s", "b", {lost()}),
                                 trajectory("s", "c", {lost(), wrong()})},
                                suite, rule);
    EXPECT_EQ(score.tasks, 2);
    EXPECT_EQ(score.not_judged, 1);
    EXPECT_EQ(score.eager.fast[0], 0.5);
    EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::not_judged)], 1);
    EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::correctness_issue)], 1);
    EXPECT_EQ(score.answers[static_cast<std::size_t>(Ending::not_judged)], 2);
  }
}

TEST(PassAtK, IgnoresSamplesThatWereNotJudged) {
  const auto score =
      score_of({batch("s", "a", {correct(2), lost(), wrong()})}, {task("a")}, CorrectnessRule::hardened);
  ASSERT_EQ(score.pass_at.size(), 1u);
  EXPECT_EQ(score.pass_at[0], std::pair(1, 0.5)) << "one of two";
}

TEST(Rules, DifferInWhatIsRightAndInWhichTasksCount) {
  const std::vector<SuiteTask> suite{task("a"), task("b", "level1", Standing::degenerate),
                                     task("c", "level1", Standing::broken),
                                     task("d", "level1", Standing::unchecked)};
  const std::vector<ComparedTrajectory> trajectories{trajectory("s", "a", {lenient()}),
                                                     trajectory("s", "b", {correct(4)}),
                                                     trajectory("s", "d", {correct(2)})};
  const auto faithful = score_of(trajectories, suite, CorrectnessRule::faithful);
  EXPECT_EQ(faithful.tasks, 4) << "the broken one too: nobody passes it";
  EXPECT_EQ(faithful.eager.fast[0], 0.75);
  EXPECT_EQ(faithful.eager.fast[3], 0.5);
  EXPECT_EQ(faithful.eager.untimed, 1);
  const auto hardened = score_of(trajectories, suite, CorrectnessRule::hardened);
  EXPECT_EQ(hardened.tasks, 2);
  EXPECT_EQ(hardened.eager.fast[0], 0.5);
  EXPECT_EQ(hardened.endings[static_cast<std::size_t>(Ending::correctness_issue)], 1);

  const auto apart = compare(trajectories, {}, scored(suite)).suites.at(0).apart;
  ASSERT_EQ(apart.size(), 2u);
  EXPECT_EQ(apart[0].task.file, "level1/b");
  EXPECT_EQ(apart[0].passed.at(0), std::pair(1, 1));
  EXPECT_EQ(apart[1].task.standing, Standing::broken);
  EXPECT_EQ(apart[1].passed.at(0), std::pair(0, 0));
}

CandidateOutcome beside_compiled(double speedup, double compiled) {
  auto outcome = correct(speedup);
  outcome.compiled_references["default"] = compiled;
  return outcome;
}

TEST(AgainstTorchCompile, DividesSpeedUpsByThoseOfTorchCompile) {
  const std::vector<SuiteTask> suite{task("a"), task("b"), task("c")};
  const auto comparison =
      compare({trajectory("s", "a", {beside_compiled(3, 1.5)}),
               trajectory("s", "b", {beside_compiled(1.5, 3)}), trajectory("s", "c", {correct(9)})},
              {}, scored(suite));
  const auto& score = comparison.suites.at(0);
  EXPECT_EQ(score.modes, std::vector<std::string>{"default"});
  const auto& against = score.strategies.at(0).levels.at(0)[0].compiled.at(0);
  const double third = 1.0 / 3;
  EXPECT_EQ(against.fast[0], 1) << "what is right is right against any baseline";
  EXPECT_NEAR(against.fast[3], third, 1e-12);
  EXPECT_NEAR(against.fast[1], third, 1e-12) << "0.5 times as fast is not more than 0.5 times";
  EXPECT_DOUBLE_EQ(against.speed.mean, 1);
  EXPECT_EQ(against.untimed, 1) << "torch.compile was not measured for it";
  const auto grid = compiled_grid(score, 0);
  ASSERT_EQ(grid.rows.size(), 4u) << "level1 and all, by both rules";
  EXPECT_EQ(grid.header.back(), "not timed");
  const auto told = to_json(score).at("strategies").at(0).at("levels").at(0).at("faithful");
  EXPECT_EQ(told.at("against_torch_compile").at("default").at("untimed"), 1);
  EXPECT_EQ(told.at("untimed"), 0);
}

TEST(AgainstTorchCompile, IsAbsentIfItWasNotMeasured) {
  const auto comparison = compare({trajectory("s", "a", {correct(2)})}, {}, scored({task("a")}));
  const auto& score = comparison.suites.at(0);
  EXPECT_TRUE(score.modes.empty());
  const auto told = to_json(score).at("strategies").at(0).at("levels").at(0).at("faithful");
  EXPECT_TRUE(told.at("against_torch_compile").empty());
}

TEST(Rules, OnlyOurRuleSetsAFlaggedTimeAside) {
  auto doubtful = flagged(50);
  const std::vector<SuiteTask> suite{task("a")};
  EXPECT_EQ(score_of({trajectory("s", "a", {doubtful})}, suite, CorrectnessRule::faithful).eager.fast[5], 1);
  EXPECT_EQ(score_of({trajectory("s", "a", {doubtful})}, suite, CorrectnessRule::hardened).eager.fast[5], 0);
  EXPECT_EQ(score_of({trajectory("s", "a", {doubtful})}, suite, CorrectnessRule::hardened).eager.fast[0], 1);
}

TEST(Choice, IsTheLastOfAChainOnRequestAndAlwaysTheBestOfABatch) {
  const std::vector<SuiteTask> suite{task("a")};
  const std::vector<std::optional<CandidateOutcome>> found{correct(2), wrong()};
  const CompareOptions last{.score_last = true};
  EXPECT_EQ(score_of({trajectory("chain", "a", found)}, suite, CorrectnessRule::faithful).eager.fast[3], 1);
  EXPECT_EQ(score_of({trajectory("chain", "a", found)}, suite, CorrectnessRule::faithful, last).eager.fast[3],
            0);
  EXPECT_EQ(score_of({batch("batch", "a", found)}, suite, CorrectnessRule::faithful, last).eager.fast[3], 1);
}

TEST(Choice, IsTheEarlierOfEqualCandidates) {
  auto slow = broken();
  slow.ending = Ending::timeout;
  const auto score = score_of({batch("s", "a", {slow, broken()})}, {task("a")}, CorrectnessRule::hardened);
  EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::timeout)], 1);
  EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::compilation_error)], 0);
}

TEST(Samples, AreTheCallsOfABatchAndTheTrajectoriesOfAChain) {
  const std::vector<SuiteTask> suite{task("a"), task("b")};
  const auto batches = score_of({batch("s", "a", {correct(1), broken(), std::nullopt, wrong(), wrong()}),
                                 batch("s", "b", {correct(1), correct(1), wrong(), wrong(), wrong()})},
                                suite, CorrectnessRule::hardened);
  ASSERT_EQ(batches.pass_at.size(), 2u) << "no task has ten samples";
  EXPECT_EQ(batches.pass_at[0].first, 1);
  EXPECT_NEAR(batches.pass_at[0].second, 0.3, 1e-12) << "an answer without a kernel is a sample";
  EXPECT_EQ(batches.pass_at[1], (std::pair{5, 1.0}));
  const auto chains =
      score_of({trajectory("s", "a", {broken(), correct(1)}), trajectory("s", "a", {broken(), broken()}),
                trajectory("s", "b", {broken(), correct(1)})},
               suite, CorrectnessRule::hardened);
  ASSERT_EQ(chains.pass_at.size(), 1u);
  EXPECT_NEAR(chains.pass_at[0].second, (0.5 + 1) / 2, 1e-12);
}

TEST(Samples, LeaveOutCallsOfCritics) {
  auto judged = batch("s", "a", {correct(1), critic});
  judged.points[1].critic = true;
  const auto score = score_of({judged}, {task("a")}, CorrectnessRule::hardened);
  EXPECT_EQ(score.pass_at.at(0).second, 1);
  EXPECT_EQ(score.answers[static_cast<std::size_t>(Ending::no_answer)], 0);
  EXPECT_EQ(score.answers[static_cast<std::size_t>(Ending::correct)], 1);
}

TEST(Answers, OfAllCallsAreCountedBesideTheScoredAnswers) {
  const auto score = score_of({trajectory("s", "a", {broken(), std::nullopt, wrong(), correct(1)})},
                              {task("a")}, CorrectnessRule::hardened);
  const auto of = [&](const auto& counts, Ending ending) { return counts[static_cast<std::size_t>(ending)]; };
  EXPECT_EQ(of(score.endings, Ending::correct), 1);
  EXPECT_EQ(of(score.endings, Ending::correctness_issue), 0);
  for (const auto ending :
       {Ending::compilation_error, Ending::no_answer, Ending::correctness_issue, Ending::correct})
    EXPECT_EQ(of(score.answers, ending), 1) << to_string(ending);
}

TEST(Posings, AreRowsOfTheirOwnAndNoFigureAddsThemUp) {
  const std::vector<SuiteTask> suite{task("a"), task("b"), task("a_bf16", "level1 bf16"),
                                     task("b_bf16", "level1 bf16", Standing::broken),
                                     task("a_scale4_bf16", "level1 bf16 1/4")};
  const auto comparison =
      compare({trajectory("G", "a", {correct(2)}, "level1"), trajectory("G", "b", {wrong()}, "level1"),
               trajectory("G", "a_bf16", {correct(3)}, "level1 bf16"),
               trajectory("G", "a_scale4_bf16", {wrong()}, "level1 bf16 1/4")},
              {}, scored(suite));
  const auto& score = comparison.suites.at(0);
  ASSERT_EQ(score.strategies.size(), 3u);
  EXPECT_EQ(score.strategies[0].label, "G");
  EXPECT_EQ(score.strategies[1].label, "G · bf16");
  EXPECT_EQ(score.strategies[2].label, "G · bf16 1/4");
  const auto tasks = [&](std::size_t row) { return score.strategies[row].levels.back()[0].tasks; };
  EXPECT_EQ(tasks(0), 2);
  EXPECT_EQ(tasks(1), 2) << "the one that cannot run in bf16 counts there alone";
  EXPECT_EQ(tasks(2), 1);
  ASSERT_EQ(comparison.strategies.size(), 3u);
  EXPECT_EQ(comparison.strategies[0].trajectories, 2);
  EXPECT_EQ(comparison.strategies[1].trajectories, 1);
  EXPECT_EQ(comparison.strategies[1].speedups, std::vector<double>{3});
}

TEST(Levels, AreColumnsAndAnEmptyOneHasNoShare) {
  const std::vector<SuiteTask> suite{task("a"), task("b", "level2"), task("c", "level3")};
  const auto comparison =
      compare({trajectory("G", "a", {correct(2)}, "level1"), trajectory("G+E", "a", {correct(2)}, "level1"),
               trajectory("G+E", "b", {correct(0.5)}, "level2"), trajectory("native", "softmax", {})},
              {}, scored(suite));
  const auto& score = comparison.suites.at(0);
  EXPECT_EQ(score.levels, (std::vector<std::string>{"level1", "level2", "level3"}));
  ASSERT_EQ(score.strategies.size(), 2u) << "one that tried nothing of the suite has no row";
  const auto grid = paper_grid(score);
  EXPECT_EQ(grid.header,
            (std::vector<std::string>{"strategy", "level1 faithful", "level1 hardened", "level2 faithful",
                                      "level2 hardened", "level3 faithful", "level3 hardened"}));
  EXPECT_EQ(grid.rows.at(0), (std::vector<std::string>{"G", "100.0%", "100.0%", "–", "–", "–", "–"}));
  EXPECT_EQ(grid.rows.at(1), (std::vector<std::string>{"G+E", "100.0%", "100.0%", "0.0%", "0.0%", "–", "–"}));
  EXPECT_EQ(score.strategies[1].levels.back()[0].tasks, 2);
  EXPECT_EQ(score.strategies[0].levels[1][0].pass_at.size(), 0u);
  for (const auto& one : suite_grids(score))
    for (const auto& row : one.rows) EXPECT_EQ(row.size(), one.header.size()) << one.title;

  EXPECT_NE(terminal_table(comparison).find("KernelBench: fast_1 by level"), std::string::npos);
  const auto document = to_json(comparison).at("kernelbench");
  const auto& second = document.at("strategies").at(1).at("levels").at(1);
  EXPECT_EQ(second.at("level"), "level2");
  EXPECT_EQ(second.at("faithful").at("fast").at(0).at("share"), 1);
  EXPECT_EQ(second.at("faithful").at("fast").at(3).at("share"), 0);
  EXPECT_TRUE(document.at("strategies")
                  .at(0)
                  .at("levels")
                  .at(2)
                  .at("hardened")
                  .at("fast")
                  .at(0)
                  .at("share")
                  .is_null());
}

TEST(Levels, AreAbsentForNativeTasks) {
  const auto comparison = compare({trajectory("s", "softmax", {correct(2)})}, {});
  EXPECT_TRUE(comparison.suites.empty());
  EXPECT_EQ(terminal_table(comparison).find("KernelBench:"), std::string::npos);
  EXPECT_TRUE(to_json(comparison).at("kernelbench").is_null());
}

TEST(ScoringRule, SaysWhichFiguresAreGivenAndWhatTheyAreCalled) {
  suites::ScoringRule rule{
      .title = "Table", .group = "page", .headline = 2, .thresholds = {0, 2}, .pass_counts = {1, 2}};
  const auto comparison = compare({trajectory("s", "a", {correct(3)}), trajectory("s", "b", {correct(1.5)})},
                                  {}, {{"table", rule, {task("a", "page1"), task("b", "page1")}}});
  const auto& score = comparison.suites.at(0);
  const auto& page = score.strategies.at(0).levels.at(0)[0];
  EXPECT_EQ(page.eager.fast, (std::vector<double>{1, 0.5}));
  const auto grid = paper_grid(score);
  EXPECT_EQ(grid.title, "Table: fast_2 by page");
  EXPECT_EQ(grid.rows.at(0).at(1), "50.0%");
  EXPECT_EQ(levels_grid(score).header.at(1), "page");
  const auto document = to_json(comparison);
  EXPECT_EQ(document.at("table").at("levels").at(0), "page1");
  EXPECT_TRUE(document.at("kernelbench").is_null()) << "a suite that is known, and nobody used";
}

TEST(Suites, OfSeveralCampaignsAreJoinedAndACheckedTaskWins) {
  std::vector<SuiteTask> suite{task("a", "level1", Standing::unchecked)};
  join(suite, {task("a", "level1", Standing::degenerate), task("b")});
  join(suite, {task("a", "level1", Standing::ok)});
  ASSERT_EQ(suite.size(), 2u);
  EXPECT_EQ(suite[0].standing, Standing::degenerate);
}

TEST(Endings, AreKernelBenchsCategories) {
  EXPECT_EQ(ending_of_failure(Stage::build, Reason::compile_error), Ending::compilation_error);
  EXPECT_EQ(ending_of_failure(Stage::build, Reason::build_timeout), Ending::timeout);
  EXPECT_EQ(ending_of_failure(Stage::call, Reason::load_error), Ending::compilation_error);
  EXPECT_EQ(ending_of_failure(Stage::call, Reason::raised), Ending::runtime_error);
  EXPECT_EQ(ending_of_failure(Stage::call, Reason::crashed), Ending::runtime_error);
  EXPECT_EQ(ending_of_failure(Stage::call, Reason::launch_error), Ending::cuda_error);
  EXPECT_EQ(ending_of_failure(Stage::call, Reason::timed_out), Ending::timeout);
  EXPECT_EQ(ending_of_failure(Stage::correctness, Reason::wrong_values), Ending::correctness_issue);
  EXPECT_EQ(ending_of_failure(Stage::timing, Reason::wrong_when_timed), Ending::correctness_issue);
  EXPECT_EQ(ending_of_failure(Stage::timing, Reason::implausible), Ending::excessive_speedup);
  EXPECT_EQ(ending_of_failure(Stage::timing, Reason::crashed), Ending::error_during_performance);
  EXPECT_EQ(ending_of_failure(std::nullopt, Reason::none), Ending::cheated);
}

}  // namespace
}  // namespace ridgeline::compare
