// KernelBench's figures on invented walks.
#include "engine/compare/kernelbench.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/compare/compare.hpp"
#include "engine/compare/json.hpp"
#include "engine/compare/kernelbench_grid.hpp"
#include "engine/compare/kernelbench_json.hpp"
#include "engine/compare/loading.hpp"
#include "engine/compare/report.hpp"
#include "engine/compare/table.hpp"
#include "tests/engine/compare/walks.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

SuiteTask task(const std::string& name, const std::string& level = "level1",
               Standing standing = Standing::ok) {
  return {level + "/" + name, name, level, standing, standing == Standing::ok ? "" : "because"};
}

/// Calls made at once, as best_of_n makes them.
Walk batch(std::string strategy, std::string name, std::vector<std::optional<Outcome>> outcomes) {
  auto made = walk(std::move(strategy), std::move(name), std::move(outcomes), "level1");
  for (auto& point : made.points) point.round = 0;
  return made;
}

/// Right by the public rule alone, and so never timed.
Outcome lenient() {
  auto outcome = wrong();
  outcome.faithful = true;
  return outcome;
}
/// Right and without a baseline to be compared with.
Outcome untimed() {
  return correct(0);
}

LevelScore score_of(std::vector<Walk> walks, const std::vector<SuiteTask>& suite, Rule rule,
                    const CompareOptions& options = {}, std::size_t level = 0) {
  const auto comparison = compare(std::move(walks), options, suite);
  return comparison.kernelbench.value().strategies.at(0).levels.at(level)[static_cast<std::size_t>(rule)];
}

TEST(PassAtK, IsTheUnbiasedEstimator) {
  EXPECT_DOUBLE_EQ(pass_at_k(10, 3, 1), 0.3);
  EXPECT_DOUBLE_EQ(pass_at_k(10, 0, 5), 0);
  EXPECT_DOUBLE_EQ(pass_at_k(10, 10, 5), 1);
  EXPECT_DOUBLE_EQ(pass_at_k(4, 3, 2), 1) << "two of four hold a right one whenever one is wrong";
  EXPECT_NEAR(pass_at_k(10, 3, 5), 1 - 21.0 / 252, 1e-12) << "1 - C(7,5)/C(10,5)";
  EXPECT_NEAR(pass_at_k(200, 1, 100), 0.5, 1e-12) << "no binomial overflows";
}

TEST(FastP, CountsTasksThatAreStrictlyFaster) {
  const std::vector<SuiteTask> suite{task("a"), task("b"), task("c"), task("d")};
  const auto score = score_of({walk("s", "a", {correct(1)}), walk("s", "b", {correct(1.5)}),
                               walk("s", "c", {correct(3)}), walk("s", "d", {broken()})},
                              suite, Rule::faithful);
  EXPECT_EQ(score.tasks, 4);
  EXPECT_EQ(score.eager.fast, (std::array<double, 6>{0.75, 0.75, 0.75, 0.5, 0.25, 0.25}))
      << "a tie with p is not faster than p";
  EXPECT_DOUBLE_EQ(score.eager.speed.mean, std::cbrt(4.5)) << "over the right ones alone";
  EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::correct)], 3);
  EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::compilation_error)], 1);
}

TEST(FastP, WhatIsRightWithoutATimeCountsForFastZeroAlone) {
  const auto score = score_of({walk("s", "a", {untimed()}), walk("s", "b", {correct(2)})},
                              {task("a"), task("b")}, Rule::hardened);
  EXPECT_EQ(score.eager.fast[0], 1);
  EXPECT_EQ(score.eager.fast[1], 0.5);
  EXPECT_EQ(score.eager.untimed, 1);
  EXPECT_EQ(score.eager.speed.kernels, 1);
  EXPECT_DOUBLE_EQ(score.eager.speed.mean, 2);
}

TEST(FastP, ATaskTriedOftenWeighsNoMoreThanOneTriedOnce) {
  const auto score = score_of({walk("s", "a", {correct(2)}), walk("s", "a", {broken()}),
                               walk("s", "a", {broken()}), walk("s", "b", {correct(2)})},
                              {task("a"), task("b")}, Rule::hardened);
  EXPECT_EQ(score.tasks, 2);
  EXPECT_NEAR(score.eager.fast[3], (1.0 / 3 + 1) / 2, 1e-12);
}

TEST(FastP, ATaskThatTheMachineCouldNotJudgeIsInNoDenominator) {
  const std::vector<SuiteTask> suite{task("a"), task("b"), task("c")};
  for (const auto rule : {Rule::faithful, Rule::hardened}) {
    const auto score =
        score_of({walk("s", "a", {correct(2)}), walk("s", "b", {lost()}), walk("s", "c", {lost(), wrong()})},
                 suite, rule);
    EXPECT_EQ(score.tasks, 2);
    EXPECT_EQ(score.not_judged, 1);
    EXPECT_EQ(score.eager.fast[0], 0.5);
    EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::not_judged)], 1);
    EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::correctness_issue)], 1);
    EXPECT_EQ(score.answers[static_cast<std::size_t>(Ending::not_judged)], 2);
  }
}

TEST(PassAtK, ASampleThatWasNotJudgedIsNone) {
  const auto score = score_of({batch("s", "a", {correct(2), lost(), wrong()})}, {task("a")}, Rule::hardened);
  ASSERT_EQ(score.pass_at.size(), 1u);
  EXPECT_EQ(score.pass_at[0], std::pair(1, 0.5)) << "one of two";
}

TEST(Rules, DifferInWhatIsRightAndInWhatCounts) {
  const std::vector<SuiteTask> suite{task("a"), task("b", "level1", Standing::degenerate),
                                     task("c", "level1", Standing::broken),
                                     task("d", "level1", Standing::unchecked)};
  const std::vector<Walk> walks{walk("s", "a", {lenient()}), walk("s", "b", {correct(4)}),
                                walk("s", "d", {correct(2)})};
  const auto faithful = score_of(walks, suite, Rule::faithful);
  EXPECT_EQ(faithful.tasks, 4) << "the broken one too: nobody passes it";
  EXPECT_EQ(faithful.eager.fast[0], 0.75);
  EXPECT_EQ(faithful.eager.fast[3], 0.5);
  EXPECT_EQ(faithful.eager.untimed, 1);
  const auto hardened = score_of(walks, suite, Rule::hardened);
  EXPECT_EQ(hardened.tasks, 2);
  EXPECT_EQ(hardened.eager.fast[0], 0.5);
  EXPECT_EQ(hardened.endings[static_cast<std::size_t>(Ending::correctness_issue)], 1);

  const auto apart = compare(walks, {}, suite).kernelbench->apart;
  ASSERT_EQ(apart.size(), 2u);
  EXPECT_EQ(apart[0].task.file, "level1/b");
  EXPECT_EQ(apart[0].passed.at(0), std::pair(1, 1));
  EXPECT_EQ(apart[1].task.standing, Standing::broken);
  EXPECT_EQ(apart[1].passed.at(0), std::pair(0, 0));
}

Outcome beside_compiled(double speedup, double compiled) {
  auto outcome = correct(speedup);
  outcome.compiled_references["default"] = compiled;
  return outcome;
}

TEST(AgainstTorchCompile, SpeedUpsAreOverWhatItGained) {
  const std::vector<SuiteTask> suite{task("a"), task("b"), task("c")};
  const auto comparison = compare({walk("s", "a", {beside_compiled(3, 1.5)}),
                                   walk("s", "b", {beside_compiled(1.5, 3)}), walk("s", "c", {correct(9)})},
                                  {}, suite);
  const auto& score = comparison.kernelbench.value();
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

TEST(AgainstTorchCompile, IsNotSpokenOfWhereItWasNotMeasured) {
  const auto comparison = compare({walk("s", "a", {correct(2)})}, {}, {task("a")});
  const auto& score = comparison.kernelbench.value();
  EXPECT_TRUE(score.modes.empty());
  const auto told = to_json(score).at("strategies").at(0).at("levels").at(0).at("faithful");
  EXPECT_TRUE(told.at("against_torch_compile").empty());
}

TEST(Rules, AFlaggedTimeIsSetAsideByOursAlone) {
  auto doubtful = flagged(50);
  const std::vector<SuiteTask> suite{task("a")};
  EXPECT_EQ(score_of({walk("s", "a", {doubtful})}, suite, Rule::faithful).eager.fast[5], 1);
  EXPECT_EQ(score_of({walk("s", "a", {doubtful})}, suite, Rule::hardened).eager.fast[5], 0);
  EXPECT_EQ(score_of({walk("s", "a", {doubtful})}, suite, Rule::hardened).eager.fast[0], 1);
}

TEST(Choice, IsTheLastOfAChainWhereThatIsAskedForAndTheBestOfABatchAlways) {
  const std::vector<SuiteTask> suite{task("a")};
  const std::vector<std::optional<Outcome>> found{correct(2), wrong()};
  const CompareOptions last{.score_last = true};
  EXPECT_EQ(score_of({walk("chain", "a", found)}, suite, Rule::faithful).eager.fast[3], 1);
  EXPECT_EQ(score_of({walk("chain", "a", found)}, suite, Rule::faithful, last).eager.fast[3], 0);
  EXPECT_EQ(score_of({batch("batch", "a", found)}, suite, Rule::faithful, last).eager.fast[3], 1);
}

TEST(Choice, OfEqualsIsTheEarlier) {
  auto slow = broken();
  slow.ending = Ending::timeout;
  const auto score = score_of({batch("s", "a", {slow, broken()})}, {task("a")}, Rule::hardened);
  EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::timeout)], 1);
  EXPECT_EQ(score.endings[static_cast<std::size_t>(Ending::compilation_error)], 0);
}

TEST(Samples, AreTheCallsOfABatchAndTheTrajectoriesOfAChain) {
  const std::vector<SuiteTask> suite{task("a"), task("b")};
  const auto batches = score_of({batch("s", "a", {correct(1), broken(), std::nullopt, wrong(), wrong()}),
                                 batch("s", "b", {correct(1), correct(1), wrong(), wrong(), wrong()})},
                                suite, Rule::hardened);
  ASSERT_EQ(batches.pass_at.size(), 2u) << "no task has ten samples";
  EXPECT_EQ(batches.pass_at[0].first, 1);
  EXPECT_NEAR(batches.pass_at[0].second, 0.3, 1e-12) << "an answer without a kernel is a sample";
  EXPECT_EQ(batches.pass_at[1], (std::pair{5, 1.0}));
  const auto chains = score_of({walk("s", "a", {broken(), correct(1)}), walk("s", "a", {broken(), broken()}),
                                walk("s", "b", {broken(), correct(1)})},
                               suite, Rule::hardened);
  ASSERT_EQ(chains.pass_at.size(), 1u);
  EXPECT_NEAR(chains.pass_at[0].second, (0.5 + 1) / 2, 1e-12);
}

TEST(Samples, AreNoCallsOfCritics) {
  auto judged = batch("s", "a", {correct(1), critic});
  judged.points[1].critic = true;
  const auto score = score_of({judged}, {task("a")}, Rule::hardened);
  EXPECT_EQ(score.pass_at.at(0).second, 1);
  EXPECT_EQ(score.answers[static_cast<std::size_t>(Ending::no_answer)], 0);
  EXPECT_EQ(score.answers[static_cast<std::size_t>(Ending::correct)], 1);
}

TEST(Answers, OfAllCallsAreCountedBesideTheScoredOnes) {
  const auto score =
      score_of({walk("s", "a", {broken(), std::nullopt, wrong(), correct(1)})}, {task("a")}, Rule::hardened);
  const auto of = [&](const auto& counts, Ending ending) { return counts[static_cast<std::size_t>(ending)]; };
  EXPECT_EQ(of(score.endings, Ending::correct), 1);
  EXPECT_EQ(of(score.endings, Ending::correctness_issue), 0);
  for (const auto ending :
       {Ending::compilation_error, Ending::no_answer, Ending::correctness_issue, Ending::correct})
    EXPECT_EQ(of(score.answers, ending), 1) << to_string(ending);
}

TEST(Levels, AreColumnsAndAnEmptyOneHasNoShare) {
  const std::vector<SuiteTask> suite{task("a"), task("b", "level2"), task("c", "level3")};
  const auto comparison =
      compare({walk("G", "a", {correct(2)}, "level1"), walk("G+E", "a", {correct(2)}, "level1"),
               walk("G+E", "b", {correct(0.5)}, "level2"), walk("native", "softmax", {})},
              {}, suite);
  const auto& score = *comparison.kernelbench;
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
  for (const auto& one : kernelbench_grids(score))
    for (const auto& row : one.rows) EXPECT_EQ(row.size(), one.header.size()) << one.title;

  EXPECT_NE(terminal_table(comparison).find("KernelBench: fast_1 by level"), std::string::npos);
  EXPECT_NE(html_report(comparison).find("KernelBench: fast_1 by level"), std::string::npos);
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

TEST(Levels, AreNotThereForASuiteOfOurs) {
  const auto comparison = compare({walk("s", "softmax", {correct(2)})}, {});
  EXPECT_FALSE(comparison.kernelbench);
  EXPECT_EQ(terminal_table(comparison).find("KernelBench:"), std::string::npos);
  EXPECT_TRUE(to_json(comparison).at("kernelbench").is_null());
}

TEST(Suites, OfSeveralCampaignsJoinAndACheckedTaskWins) {
  std::vector<SuiteTask> suite{task("a", "level1", Standing::unchecked)};
  join(suite, {task("a", "level1", Standing::degenerate), task("b")});
  join(suite, {task("a", "level1", Standing::ok)});
  ASSERT_EQ(suite.size(), 2u);
  EXPECT_EQ(suite[0].standing, Standing::degenerate);
}

Verdict failing(Stage stage, Reason reason, Status status = Status::failed) {
  Verdict verdict;
  for (int s = 0; s < static_cast<int>(stage); ++s) verdict.at(static_cast<Stage>(s)).status = Status::passed;
  verdict.at(stage) = {status, reason, "", 0};
  return verdict;
}

TEST(Endings, AreKernelBenchsCategories) {
  EXPECT_EQ(ending_of(failing(Stage::profile, Reason::none)), Ending::correct);
  EXPECT_EQ(ending_of(failing(Stage::build, Reason::compile_error)), Ending::compilation_error);
  EXPECT_EQ(ending_of(failing(Stage::build, Reason::build_timeout)), Ending::timeout);
  EXPECT_EQ(ending_of(failing(Stage::call, Reason::load_error)), Ending::compilation_error);
  EXPECT_EQ(ending_of(failing(Stage::call, Reason::raised)), Ending::runtime_error);
  EXPECT_EQ(ending_of(failing(Stage::call, Reason::crashed)), Ending::runtime_error);
  EXPECT_EQ(ending_of(failing(Stage::call, Reason::launch_error)), Ending::cuda_error);
  EXPECT_EQ(ending_of(failing(Stage::call, Reason::timed_out)), Ending::timeout);
  EXPECT_EQ(ending_of(failing(Stage::correctness, Reason::wrong_values)), Ending::correctness_issue);
  EXPECT_EQ(ending_of(failing(Stage::timing, Reason::wrong_when_timed)), Ending::correctness_issue);
  EXPECT_EQ(ending_of(failing(Stage::timing, Reason::implausible)), Ending::excessive_speedup);
  EXPECT_EQ(ending_of(failing(Stage::timing, Reason::crashed)), Ending::error_during_performance);
  EXPECT_EQ(ending_of(failing(Stage::call, Reason::task_rejected, Status::unavailable)), Ending::not_judged);
  auto cheat = failing(Stage::profile, Reason::none);
  cheat.cheated = true;
  EXPECT_EQ(ending_of(cheat), Ending::cheated);
}

}  // namespace
}  // namespace ridgeline::compare
