#include "tests/bench/adversary/scorecard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ridgeline::bench {
namespace {

using testing::HasSubstr;

const Allowed honest{.honest = true, .may_pass = true};
const Allowed must_fail{};
const Allowed may_pass{.may_pass = true};

Verdict passing(double speedup = 1) {
  Verdict verdict;
  for (auto& stage : verdict.stages) stage.status = Status::passed;
  verdict.timing = Timing{};
  verdict.timing->speedup = speedup;
  return verdict;
}

Verdict ended(Stage stage, Status status, Reason reason) {
  auto verdict = passing();
  verdict.at(stage) = {status, reason, "", 0};
  return verdict;
}

Verdict flagged() {
  auto verdict = passing();
  verdict.flags.emplace_back("operations over peak");
  return verdict;
}

Verdict cheated() {
  auto verdict = ended(Stage::timing, Status::failed, Reason::wrong_when_timed);
  verdict.cheated = true;
  return verdict;
}

const auto wrong = ended(Stage::correctness, Status::failed, Reason::wrong_values);
const auto broken_machine = ended(Stage::timing, Status::unavailable, Reason::judge_failed);

TEST(Standing, AMisbehavingCandidateThatFailsCheatsOrIsFlaggedIsCaught) {
  for (const auto& verdict : {wrong, cheated(), flagged()}) {
    EXPECT_EQ(standing_of(must_fail, verdict), Standing::caught);
    EXPECT_EQ(standing_of(may_pass, verdict), Standing::caught);
  }
}

TEST(Standing, OneThatPassesIsHarmlessOnlyWhereItsHeaderAllowsIt) {
  EXPECT_EQ(standing_of(may_pass, passing()), Standing::harmless);
  EXPECT_EQ(standing_of(must_fail, passing()), Standing::missed);
}

TEST(Standing, OneThatPassesFasterThanItsBoundIsMissed) {
  const Allowed bounded{.may_pass = true, .most_speedup = 1.5};
  EXPECT_EQ(standing_of(bounded, passing(1.5)), Standing::harmless);
  EXPECT_EQ(standing_of(bounded, passing(1.6)), Standing::missed);
}

TEST(Standing, WhereTheMachineFailedNobodyIsCaught) {
  EXPECT_EQ(standing_of(may_pass, broken_machine), Standing::missed);
  EXPECT_EQ(standing_of(may_pass, std::nullopt), Standing::missed);
  EXPECT_EQ(standing_of(honest, broken_machine), Standing::refused);
  EXPECT_EQ(standing_of(honest, std::nullopt), Standing::refused);
}

TEST(Standing, AnHonestCandidateIsAccusedByAFlagOrAsACheatAndElseRefusedWhereItFails) {
  EXPECT_EQ(standing_of(honest, passing()), Standing::passed);
  EXPECT_EQ(standing_of(honest, wrong), Standing::refused);
  EXPECT_EQ(standing_of(honest, cheated()), Standing::accused);
  EXPECT_EQ(standing_of(honest, flagged()), Standing::accused);
}

TEST(Scorecard, TheWorstRepetitionCountsWithItsWords) {
  Scored scored{"cpp", "wrong", "zeros", false, Standing::caught, "failed", 1};
  add_repetition(scored, {"cpp", "wrong", "zeros", false, Standing::missed, "passed", 2});
  add_repetition(scored, {"cpp", "wrong", "zeros", false, Standing::harmless, "slow", 4});
  EXPECT_EQ(scored.standing, Standing::missed);
  EXPECT_EQ(scored.outcome, "passed");
  EXPECT_EQ(scored.seconds, 7);
}

const std::vector<Scored> some{{"cpp", "ends", "exits", false, Standing::caught, "call exited", 1},
                               {"cpp", "honest", "axpy", true, Standing::refused, "call crashed", 0.5},
                               {"cpp", "wrong", "zeros", false, Standing::missed, "passed", 0.25},
                               {"cpp", "wrong", "tail", false, Standing::harmless, "passed", 0.25},
                               {"python", "honest", "vmap", true, Standing::passed, "passed", 2}};

TEST(Scorecard, TheTableCountsByLanguageAndClassWithHonestCandidatesFirst) {
  EXPECT_EQ(
      table_of(some),
      "language       class     candidates   caught harmless   missed   passed  refused  accused  seconds\n"
      "cpp            honest             1        -        -        -        0        1        0      0.5\n"
      "cpp            ends               1        1        0        0        -        -        -      1.0\n"
      "cpp            wrong              2        0        1        1        -        -        -      0.5\n"
      "cpp            all                4        1        1        1        0        1        0      2.0\n"
      "python         honest             1        -        -        -        1        0        0      2.0\n"
      "python         all                1        -        -        -        1        0        0      2.0\n");
}

TEST(Scorecard, NamesWhoWasMissedRefusedOrAccused) {
  EXPECT_EQ(complaints_of(some), "refused cpp/honest/axpy: call crashed\nmissed cpp/wrong/zeros: passed\n");
}

TEST(Scorecard, EachLanguageHasItsFigures) {
  const auto lines = figures_of(some, 3);
  ASSERT_EQ(lines.size(), 3u);
  using nlohmann::json;
  EXPECT_EQ(json::parse(lines[0]),
            json::parse(R"({"figure":"adversary: missed, cpp","value":1,"unit":"candidates","goal":"0",
                            "of":3,"caught":1,"harmless":1,"repetitions":3})"));
  EXPECT_EQ(json::parse(lines[1]),
            json::parse(R"({"figure":"adversary: honest refused or accused, cpp","value":1,
                            "unit":"candidates","goal":"0","of":1,"refused":1,"accused":0,
                            "repetitions":3})"));
  EXPECT_THAT(lines[2], HasSubstr("adversary: honest refused or accused, python"));
}

TEST(Scorecard, TheGoalIsThatNobodyIsMissedRefusedOrAccused) {
  EXPECT_FALSE(meets_goals(some));
  EXPECT_TRUE(meets_goals({some[0], some[3], some[4]}));
}

}  // namespace
}  // namespace ridgeline::bench
