// Whether invented samples count, and whether a machine allows a time.
#include "engine/worker/judge/timing/sampled_case.hpp"

#include <gtest/gtest.h>

#include "engine/worker/judge/timing/physics_check.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

TEST(TimeDecision, ATimeWithABaselineCounts) {
  const auto decision = decide({}, Plausible{});
  ASSERT_TRUE(std::holds_alternative<TimeCounts>(decision));
  EXPECT_FALSE(std::get<TimeCounts>(decision).flagged);
}

TEST(TimeDecision, OperationsAbovePeakOnlyFlag) {
  const auto decision = decide({}, AbovePeak{2});
  ASSERT_TRUE(std::holds_alternative<TimeCounts>(decision));
  EXPECT_EQ(std::get<TimeCounts>(decision).flagged.value().ratio, 2);
}

TEST(TimeDecision, ACandidateThatRanWhilePausedComesFirst) {
  SampledCase sampled;
  sampled.candidate_ran_while_paused = true;
  sampled.has_baseline = false;
  sampled.confirmed.evidence.dispute = Dispute::outside_window;
  EXPECT_TRUE(std::holds_alternative<RanWhilePaused>(decide(sampled, BelowFloor{})));
}

TEST(TimeDecision, AMissingBaselineIsTheJudgesUnlessTheCandidateCausedIt) {
  SampledCase sampled;
  sampled.has_baseline = false;
  EXPECT_TRUE(std::holds_alternative<NoBaseline>(decide(sampled, BelowFloor{})));
  sampled.below_timer_resolution = true;
  EXPECT_TRUE(std::holds_alternative<BelowFloor>(decide(sampled, BelowFloor{})));
  sampled.confirmed.evidence.dispute = Dispute::claim_undercuts;
  EXPECT_TRUE(std::holds_alternative<ClocksDisagree>(decide(sampled, BelowFloor{})));
}

TEST(TimeDecision, ABaselineBesideACandidateThatCheatsIsKeptForNobody) {
  EXPECT_TRUE(may_keep_baseline({}));
  SampledCase ran;
  ran.candidate_ran_while_paused = true;
  EXPECT_FALSE(may_keep_baseline(ran));
  for (const auto dispute : {Dispute::outside_window, Dispute::claim_undercuts}) {
    SampledCase disputed;
    disputed.confirmed.evidence.dispute = dispute;
    EXPECT_FALSE(may_keep_baseline(disputed));
  }
}

TEST(TimeDecision, RemarksNameRepeatedTimingThrottlingAndDrift) {
  SampledCase sampled;
  add_remarks(sampled, "", 1);
  EXPECT_TRUE(sampled.remarks.empty());
  sampled.confirmed.at_first = Dispute::outside_window;
  add_remarks(sampled, "the clocks are held back", 1.5);
  ASSERT_EQ(sampled.remarks.size(), 3u);
  EXPECT_EQ(sampled.remarks[0], "timed again, since the clocks disagreed at first (outside_window)");
  EXPECT_EQ(sampled.remarks[1], "the clocks are held back");
  EXPECT_NE(sampled.remarks[2].find("1.50 times as long"), std::string::npos);
}

TEST(PhysicsCheck, ATimeBelowTheFloorIsNotPossible) {
  const auto task = testcase_task("vector_add");
  const auto& shape = task.cases.front();
  Ceilings ceilings;
  ceilings.bandwidth = 1e9;
  const double bytes = task.bytes.evaluate(shape.sizes);
  const double floor = physics_floor(ceilings, bytes, 1e9);
  ASSERT_GT(floor, 0);
  const auto below = check_physics(task, shape, floor / 2, ceilings, 1e9);
  ASSERT_TRUE(std::holds_alternative<BelowFloor>(below));
  EXPECT_EQ(std::get<BelowFloor>(below).floor, floor);
  EXPECT_EQ(std::get<BelowFloor>(below).bytes, bytes);
  EXPECT_TRUE(std::holds_alternative<Plausible>(check_physics(task, shape, 2 * floor, ceilings, 1e9)));
  EXPECT_TRUE(std::holds_alternative<BelowFloor>(check_physics(task, shape, 0, ceilings, 1e9)))
      << "no time is no possible time";
}

TEST(PhysicsCheck, OperationsAboveOneAndAHalfPeaksFlag) {
  const auto task = testcase_task("vector_add");
  const auto& shape = task.cases.front();
  const double operations = task.operations.evaluate(shape.sizes);
  ASSERT_GT(operations, 0);
  Ceilings ceilings;
  ceilings.bandwidth = 1e9;
  ceilings.peaks = {{"fp32", operations}};  // a second's worth
  const auto ratio = [&](double seconds) {
    const auto checked = check_physics(task, shape, seconds, ceilings, 1e12);
    const auto* excess = std::get_if<AbovePeak>(&checked);
    return excess ? excess->ratio : 0;
  };
  EXPECT_NEAR(ratio(0.5), 2, 1e-9);
  EXPECT_EQ(ratio(0.8), 0);
}

TEST(PhysicsCheck, AFlagNamesAlgebraBesideSkippedWorkAndIsKnownByItsBegin) {
  const auto text = describe(AbovePeak{1.72});
  EXPECT_TRUE(text.starts_with("operations over peak (1.7x): ")) << text;
  for (const char* said : {"skipped work", "algebra needs fewer operations", "no proof of cheating"})
    EXPECT_NE(text.find(said), std::string::npos) << said;
}

TEST(SampledCase, RemarksSayHowCallsThatGainByBatchesWereTimed) {
  SampledCase sampled;
  sampled.calls_overlap = sampled.timed_alone = true;
  add_remarks(sampled, "", 1);
  ASSERT_EQ(sampled.remarks.size(), 2u);
  EXPECT_NE(sampled.remarks[0].find("timed one after the other"), std::string::npos);
  EXPECT_NE(sampled.remarks[1].find("timed alone"), std::string::npos);
}

TEST(SampledCase, InputsThatCouldNotBeSealedAreNamedWithTheReason) {
  SampledCase sampled;
  sampled.not_sealed = "the device cannot reach the exchange";
  add_remarks(sampled, "", 1);
  ASSERT_EQ(sampled.remarks.size(), 1u);
  EXPECT_NE(sampled.remarks[0].find("could not be sealed"), std::string::npos);
  EXPECT_NE(sampled.remarks[0].find("cannot reach the exchange"), std::string::npos);
}

}  // namespace
}  // namespace ridgeline::judge
