#include "engine/export/transition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/store/samples.hpp"

namespace ridgeline::exporting {
namespace {

using store::samples::correct_verdict;
using store::samples::failed_verdict;

Verdict failing(Stage stage, Reason reason = Reason::wrong_values) {
  return failed_verdict("task", "one", stage, reason);
}
Verdict correct(double seconds) {
  return correct_verdict("task", "one", seconds);
}

TransitionKind kind(const Verdict& before, const Verdict& after) {
  return classify(before, after).value().kind;
}

TEST(Transition, GettingFurtherIsNamedAfterTheStageThatFailedBefore) {
  const auto build = failing(Stage::build, Reason::compile_error);
  const auto call = failing(Stage::call, Reason::crashed);
  const auto wrong = failing(Stage::correctness);
  EXPECT_EQ(kind(build, call), TransitionKind::build_fail_to_pass);
  EXPECT_EQ(kind(build, correct(1)), TransitionKind::build_fail_to_pass);
  EXPECT_EQ(kind(call, wrong), TransitionKind::call_fail_to_pass);
  EXPECT_EQ(kind(wrong, correct(1)), TransitionKind::correctness_fail_to_pass);
  EXPECT_FALSE(classify(build, call)->complete());
  EXPECT_EQ(classify(build, call)->to_stage, Stage::call);
  EXPECT_TRUE(classify(build, correct(1))->complete());
  EXPECT_EQ(classify(build, correct(1))->from_stage, Stage::build);
}

TEST(Transition, FailingEarlierIsARegressionAndFailingAtTheSameStageIsNeutral) {
  EXPECT_EQ(kind(correct(1), failing(Stage::correctness)), TransitionKind::regression_correctness);
  EXPECT_EQ(kind(failing(Stage::correctness), failing(Stage::build)), TransitionKind::regression_correctness);
  EXPECT_EQ(kind(failing(Stage::call), failing(Stage::call)), TransitionKind::neutral);
}

TEST(Transition, IsFasterOnlyIfTheIntervalExcludesOne) {
  EXPECT_EQ(kind(correct(2e-3), correct(1e-3)), TransitionKind::optimization);
  EXPECT_EQ(kind(correct(1e-3), correct(2e-3)), TransitionKind::regression_performance);
  EXPECT_EQ(kind(correct(1e-3), correct(1.001e-3)), TransitionKind::neutral) << "inside the noise";
  const auto ratio = classify(correct(2e-3), correct(1e-3))->ratio.value();
  EXPECT_NEAR(ratio.value, 2, 0.05);
  EXPECT_LT(ratio.low, ratio.value);
  EXPECT_GT(ratio.high, ratio.value);
  EXPECT_GT(ratio.low, 1.9);
}

TEST(Transition, ComputesTheRatioFromTheRawSamplesOfCommonCases) {
  auto before = *correct(1).timing, after = *correct(1).timing;
  before.cases = {before.cases[0]};
  before.cases[0].cold = {
      .median = 99, .low = 99, .high = 99, .samples = {4, 4, 4, 4, 4, 4}, .converged = true};
  after.cases[0].cold = {.median = 1, .low = 0.5, .high = 2, .samples = {}, .converged = true};
  const auto ratio = ratio_between(before, after).value();
  EXPECT_DOUBLE_EQ(ratio.value, 4) << "samples before what was stored of them";
  EXPECT_DOUBLE_EQ(ratio.low, 2);
  EXPECT_DOUBLE_EQ(ratio.high, 8);
  before.cases[0].case_name = "another";
  EXPECT_FALSE(ratio_between(before, after));
}

TEST(Transition, ComparesModulesRelativeToTheirOwnBaselines) {
  auto before = *correct(2).timing, after = *correct(1).timing;
  const auto took = [](Timing& timing, double cold, double baseline) {
    timing.cases = {timing.cases[0]};
    timing.cases[0].cold = {.median = cold, .low = cold, .high = cold, .samples = {cold, cold}};
    timing.cases[0].baseline_cold = {
        .median = baseline, .low = baseline, .high = baseline, .samples = {baseline, 2 * baseline}};
  };
  took(before, 6, 9), took(after, 5, 7.5);
  EXPECT_NEAR(ratio_between(before, after)->value, 1, 1e-12) << "on a quicker host";
  after.cases[0].baseline_cold.high = 8;  // measured once, for many candidates
  EXPECT_NEAR(ratio_between(before, after)->value, 1.2, 1e-12);
}

TEST(Transition, CountsAWrongTimedCallAsNotCorrect) {
  auto timed_wrong = correct(1);
  timed_wrong.at(Stage::timing) = {Status::failed, Reason::wrong_when_timed, "", 0};
  const auto repaired = classify(timed_wrong, correct(1)).value();
  EXPECT_EQ(repaired.kind, TransitionKind::correctness_fail_to_pass);
  EXPECT_EQ(repaired.from_stage, Stage::timing);
  EXPECT_THAT(repaired.flags, testing::ElementsAre("before: wrong_when_timed"));
}

TEST(Transition, CarriesTheFlagsOfBothCandidates) {
  auto fast = correct(1e-9);
  fast.flags = {"operations over peak"};
  auto cheat = failing(Stage::correctness, Reason::input_modified);
  cheat.cheated = true;
  EXPECT_THAT(classify(correct(1), fast)->flags, testing::ElementsAre("after: operations over peak"));
  EXPECT_THAT(classify(cheat, correct(1))->flags, testing::ElementsAre("before: cheated"));
  EXPECT_FALSE(classify(correct(1), correct(1))->flagged());
}

TEST(Transition, IsEmptyIfTheMachineFailed) {
  auto lost = correct(1);
  lost.at(Stage::call) = {Status::unavailable, Reason::worker_lost, "", 0};
  EXPECT_FALSE(classify(lost, correct(1)));
  EXPECT_FALSE(classify(correct(1), lost));
  auto untimed = correct(1);
  untimed.at(Stage::timing) = {Status::unavailable, Reason::judge_failed, "", 0};
  untimed.timing.reset();
  EXPECT_EQ(kind(untimed, correct(1)), TransitionKind::neutral) << "correct, but nothing to compare";
  EXPECT_FALSE(classify(untimed, correct(1))->ratio);
}

TEST(Transition, NamesArePinnedSinceTheyAreStored) {
  EXPECT_THAT(
      all_names<TransitionKind>(),
      testing::ElementsAre("build_fail_to_pass", "call_fail_to_pass", "correctness_fail_to_pass",
                           "optimization", "neutral", "regression_correctness", "regression_performance"));
}

}  // namespace
}  // namespace ridgeline::exporting
