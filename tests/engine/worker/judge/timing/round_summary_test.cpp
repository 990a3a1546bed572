// Summarizes invented rounds.
#include "engine/worker/judge/timing/round_summary.hpp"

#include <gtest/gtest.h>

namespace ridgeline::judge {
namespace {

InterleavedRounds rounds_of(const std::vector<std::pair<double, double>>& seconds) {
  InterleavedRounds rounds;
  for (const auto& [candidate, baseline] : seconds)
    rounds.rounds.push_back({{{}, candidate}, {{}, baseline}});
  return rounds;
}

InterleavedRounds five_rounds() {
  return rounds_of({{2, 4}, {3, 6}, {2, 4}, {4, 8}, {2, 4}});
}

class RoundSummaries : public testing::Test {
 protected:
  CaseBaseline baseline_;
  CaseTiming measured_;
};

TEST_F(RoundSummaries, TheSpeedupIsTheMedianOfQuotientsOverTheUndisturbedBaseline) {
  const auto summary = summarize(five_rounds(), {}, false);
  ASSERT_TRUE(summary.baseline);
  EXPECT_EQ(summary.baseline->median, 4);
  EXPECT_EQ(summary.baseline->samples, (std::vector<double>{4, 6, 4, 8, 4}));
  EXPECT_EQ(summary.candidate.median, 2);
  EXPECT_EQ(summary.own_seconds, 2);
  EXPECT_EQ(summary.undisturbed_speedup, 0) << "it is that of all rounds";
  EXPECT_TRUE(remarks_on(summary).empty());
}

TEST_F(RoundSummaries, ADisturbedBaselineLeavesTheCandidatesOwnTime) {
  const auto summary = summarize(five_rounds(), {}, true);
  EXPECT_FALSE(summary.baseline);
  EXPECT_EQ(summary.candidate.samples, (std::vector<double>{2, 3, 2, 4, 2}));
  EXPECT_FALSE(apply(summary, measured_, baseline_)) << "there is no earlier baseline";
  EXPECT_EQ(measured_.cold.median, 2);
  baseline_.rounds_ended({.median = 5});
  EXPECT_TRUE(apply(summary, measured_, baseline_));
  EXPECT_EQ(measured_.baseline_cold.median, 5);
  keep(summary, baseline_);
  EXPECT_EQ(baseline_.kept()->median, 5);
}

TEST_F(RoundSummaries, HiddenTimeLengthensTheCandidateAlone) {
  const std::vector<double> honest(20, 1.0), early(20, 1.5);
  const auto all =
      summarize(five_rounds(), {.candidate = early, .baseline = honest, .better_half = honest}, false);
  EXPECT_NEAR(all.hidden, 1.5, 1e-9);
  EXPECT_NEAR(all.candidate.median, 3, 1e-9);
  EXPECT_NEAR(all.own_seconds, 3, 1e-9);
  EXPECT_EQ(all.baseline->median, 4);
  EXPECT_EQ(remarks_on(all).size(), 1u);
  const auto half =
      summarize(five_rounds(), {.candidate = honest, .baseline = honest, .better_half = early}, false);
  EXPECT_NEAR(half.hidden, 1.5, 1e-9) << "it may be hidden in the better rounds only";
}

TEST_F(RoundSummaries, TheKeptBaselineHasTheSpreadOfItsRoundsAndIsUnconfirmed) {
  baseline_.rounds_ended({.median = 2.5});
  baseline_.check_ended(1, BusyHostSlows::both);
  const auto summary = summarize(rounds_of({{2, 3}, {2, 4}, {2, 5}, {2, 8}, {2, 9}, {2, 9}}), {}, false);
  ASSERT_TRUE(apply(summary, measured_, baseline_));
  EXPECT_EQ(measured_.baseline_drift, 2);
  EXPECT_EQ(measured_.baseline_cold.median, 5);
  EXPECT_EQ(measured_.baseline_cold.low, 5) << "the verdict's interval is a point";
  keep(summary, baseline_);
  EXPECT_EQ(baseline_.kept()->median, 5);
  EXPECT_EQ(baseline_.kept()->low, 3);
  EXPECT_EQ(baseline_.kept()->high, 6.5) << "the median of all rounds";
  EXPECT_EQ(baseline_.reference_seconds(), 5);
  EXPECT_FALSE(baseline_.confirmed());
}

TEST_F(RoundSummaries, AHostThatSlowsOneSideIsRemarked) {
  auto seconds = std::vector<std::pair<double, double>>(4, {2, 4});
  seconds.insert(seconds.end(), 5, {2, 6});
  const auto summary = summarize(rounds_of(seconds), {}, false);
  EXPECT_EQ(summary.undisturbed_speedup, 2);
  EXPECT_EQ(remarks_on(summary).size(), 1u);
}

TEST_F(RoundSummaries, WindowsAsShortAsEmptyOnesAreBelowTheTimersResolution) {
  const auto summary = summarize(rounds_of({{0, 4}, {0, 4}, {0, 4}}), {}, false);
  EXPECT_TRUE(summary.below_timer_resolution);
  EXPECT_FALSE(summary.has_quotients);
  baseline_.rounds_ended({.median = 5});
  EXPECT_FALSE(apply(summary, measured_, baseline_)) << "no time of the candidate can be compared with it";
}

TEST_F(RoundSummaries, RoundsThatWereCappedAreRemarkedUnlessTheBaselineEnded) {
  auto rounds = five_rounds();
  rounds.end = SamplingEnd::capped;
  EXPECT_EQ(remarks_on(summarize(rounds, {}, false)).size(), 1u);
  EXPECT_FALSE(summarize(rounds, {}, false).candidate.converged);
  rounds.baseline_over = true;
  const auto over = summarize(rounds, {}, false);
  EXPECT_TRUE(remarks_on(over).empty());
  EXPECT_FALSE(over.baseline);
}

}  // namespace
}  // namespace ridgeline::judge
