#include "engine/history/history_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/history/figures.hpp"
#include "engine/history/trajectory_summary.hpp"
#include "engine/history/verdict_line.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::history {
namespace {

using testing::HasSubstr;

store::AttemptBrief brief(int round, AnswerStatus answer, store::Milliseconds ended_at) {
  store::AttemptBrief one;
  one.trajectory = 1;
  one.round = round;
  one.answer = answer;
  one.ended_at = ended_at;
  return one;
}

store::AttemptBrief judged(int round, double speedup, store::Milliseconds ended_at) {
  auto one = brief(round, AnswerStatus::kernel, ended_at);
  one.evaluation = EvaluationStatus::evaluated;
  one.judged = true;
  one.correct = speedup > 0;
  one.speedup = speedup;
  if (!one.correct) {
    one.failed_at = Stage::correctness;
    one.reason = Reason::wrong_values;
  }
  return one;
}

TEST(TrajectorySummary, TakesTheBestSpeedUpAndTheLastEndedAttempt) {
  // The second of a batch may end first, and a critic says nothing of how it stands.
  const std::vector briefs{judged(0, 1.5, 50), judged(1, 2.5, 90), judged(1, 0, 80),
                           brief(2, AnswerStatus::prose, 95)};
  const auto summary = summary_of(briefs);
  EXPECT_EQ(summary.rounds, 3);
  EXPECT_EQ(summary.evaluations, 3);
  EXPECT_EQ(summary.correct, 2);
  EXPECT_DOUBLE_EQ(summary.speedup, 2.5);
  ASSERT_TRUE(summary.last);
  EXPECT_EQ(summary.last->ended_at, 90);
  EXPECT_FALSE(summary_of({}).last);
}

TEST(TrajectorySummary, IsComputedForEachTrajectoryApart) {
  std::vector briefs{judged(0, 1.5, 1), judged(1, 0, 2), judged(0, 3, 3)};
  briefs[2].trajectory = 7;
  const auto spans = by_trajectory(briefs);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans.at(1).size(), 2u);
  EXPECT_EQ(spans.at(7).front().ended_at, 3);
}

TEST(BriefLine, DescribesTheResultOfAnAttempt) {
  EXPECT_EQ(brief_line(judged(0, 1.234, 1)), "correct, 1.23x");
  EXPECT_EQ(brief_line(judged(0, 0, 1)), "correctness: wrong_values");
  EXPECT_EQ(brief_line(brief(0, AnswerStatus::no_code, 1)), "no_code");
  EXPECT_EQ(brief_line(brief(0, AnswerStatus::kernel, 1)), "being judged");
  auto refused = brief(0, AnswerStatus::kernel, 1);
  refused.evaluation = EvaluationStatus::budget_exhausted;
  EXPECT_EQ(brief_line(refused), "budget_exhausted");
}

TEST(TrajectorySummary, WhatWasGivenUpSaysNothingOfHowItStands) {
  auto unjudged = brief(1, AnswerStatus::kernel, 95);
  unjudged.evaluation = EvaluationStatus::cancelled;
  const std::vector briefs{judged(0, 1.5, 50), brief(1, AnswerStatus::cancelled, 90), unjudged};
  const auto summary = summary_of(briefs);
  EXPECT_EQ(summary.evaluations, 1);
  EXPECT_EQ(summary.not_judged, 0);
  ASSERT_TRUE(summary.last);
  EXPECT_EQ(summary.last->ended_at, 50);
  EXPECT_EQ(brief_line(briefs[1]), "cancelled");
  EXPECT_EQ(brief_line(unjudged), "cancelled");
}

TEST(TrajectoryText, SaysWhatWasGivenUpAndWhy) {
  store::AttemptRecord broken_off;
  broken_off.ask.status = AnswerStatus::cancelled;
  broken_off.ask.llm_status = "cancelled";
  broken_off.ask.detail = broken_off.cancelled_because = "another kernel is correct";
  broken_off.cancelled = true;
  store::AttemptRecord unseen;
  unseen.ask.status = AnswerStatus::no_code;
  unseen.cancelled = true;
  unseen.cancelled_because = "another kernel is correct";
  const auto text = trajectory_text({}, {broken_off, unseen}, [](const Hash&) { return std::string(); });
  EXPECT_THAT(text, HasSubstr("answer: cancelled: another kernel is correct\n"));
  EXPECT_THAT(text, HasSubstr("answer: no_code\n  cancelled before the strategy saw it: another kernel"));
  EXPECT_EQ(given_up_line(broken_off), "") << "said once";
  EXPECT_EQ(given_up_line({}), "");
}

store::AttemptBrief ended_at_call(bool judged_so, Reason reason) {
  auto one = judged(0, 0, 1);
  one.judged = judged_so;
  one.failed_at = Stage::call;
  one.reason = reason;
  return one;
}

TEST(TrajectorySummary, CountsUnjudgedCandidatesApart) {
  // `memory_limit` is the candidate's or the machine's: only the verdict tells.
  const std::vector briefs{judged(0, 0, 1), ended_at_call(false, Reason::judge_failed),
                           ended_at_call(false, Reason::memory_limit),
                           ended_at_call(true, Reason::memory_limit), brief(1, AnswerStatus::no_code, 2)};
  const auto summary = summary_of(briefs);
  EXPECT_EQ(summary.evaluations, 4);
  EXPECT_EQ(summary.not_judged, 2);
  EXPECT_EQ(brief_line(briefs[1]), "not judged: judge_failed");
  EXPECT_EQ(brief_line(briefs[2]), "not judged: memory_limit");
  EXPECT_EQ(brief_line(briefs[3]), "call: memory_limit");
}

store::TrajectoryRecord trajectory(store::Id id, store::TrajectoryState state, const std::string& detail) {
  store::TrajectoryRecord one;
  one.id = id;
  one.state = state;
  one.detail = detail;
  return one;
}

TEST(CampaignText, ShowsWhyTrajectoriesAreIncompleteAndHowManyCandidatesWereNotJudged) {
  using enum store::TrajectoryState;
  std::vector trajectories{trajectory(1, finished, ""), trajectory(2, pending, "")};
  EXPECT_EQ(incomplete_line(trajectories), "");
  trajectories.push_back(trajectory(3, incomplete, "interrupted"));
  trajectories.push_back(trajectory(4, incomplete, "interrupted"));
  trajectories.push_back(trajectory(5, running, ""));
  const std::map<store::Id, TrajectorySummary> summaries{
      {1, summary_of(std::vector{ended_at_call(false, Reason::worker_lost)})}};
  const auto text = campaign_text({}, "", trajectories, {}, summaries);
  EXPECT_THAT(text, HasSubstr("5 trajectories\nincomplete: 3 (2 interrupted, 1 running)\n"));
  EXPECT_THAT(text, HasSubstr("evaluated  not judged  correct"));
}

TEST(VerdictLine, DistinguishesTheCandidatesFaultFromTheMachines) {
  Verdict verdict;
  verdict.at(Stage::build) = {Status::unavailable, Reason::worker_lost, "it died", 0};
  EXPECT_EQ(verdict_line(verdict), "could not be judged at build: worker_lost: it died");
  for (const auto stage : {Stage::build, Stage::call, Stage::correctness})
    verdict.at(stage) = {Status::passed, Reason::none, "", 0};
  EXPECT_EQ(verdict_line(verdict), "correct, not timed");
  verdict.at(Stage::timing) = {Status::unavailable, Reason::judge_failed, "never\nidle", 0};
  EXPECT_EQ(verdict_line(verdict), "correct, but the machine could not time it: never idle");
}

TEST(TrajectoryText, ShowsEachAttemptWithItsVerdictAndDifference) {
  const store::samples::FilledStore filled;
  const auto& reader = filled.reader();
  const auto text = trajectory_text(*reader.trajectory(1), reader.attempts(1), sources_in(reader));
  for (const char* part :
       {"trajectory 1: iterative-gep on matmul", "round 0\n", "answer: kernel",
        "  verdict: fails build: compile_error", "  | @@ ", "  | The tail is not handled."})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(RemarkLines, ListFlagsAndNotes) {
  Verdict verdict;
  EXPECT_TRUE(remark_lines(verdict).empty());
  verdict.flags = {"case typical: operations over peak (1.7x)"};
  verdict.notes = {"case typical: timed by CPU time"};
  EXPECT_EQ(remark_lines(verdict),
            (std::vector<std::string>{"suspicion: case typical: operations over peak (1.7x)",
                                      "note: case typical: timed by CPU time"}));
}

TEST(ChangeOf, IsADifferenceOnlyIfTheParentIsKnown) {
  const store::samples::FilledStore filled;
  const auto attempts = filled.reader().attempts(1);
  EXPECT_FALSE(change_of(attempts[0], sources_in(filled.reader())).diff) << "a first attempt stands whole";
  EXPECT_TRUE(change_of(attempts[1], sources_in(filled.reader())).diff);
  const auto orphan = change_of(attempts[1], [](const Hash&) { return std::string(); });
  EXPECT_FALSE(orphan.diff);
  EXPECT_EQ(orphan.text, attempts[1].candidate->source);
}

TEST(Figures, ChooseTheUnitThatFitsAndAlignColumns) {
  EXPECT_EQ(as_time(0.0123), "12.3 ms");
  EXPECT_EQ(as_time(0), "0 ns");
  EXPECT_EQ(as_time(250e-9), "250 ns");
  EXPECT_EQ(as_time(7e-6), "7 us");
  EXPECT_EQ(as_time(1234.4), "1234 s");
  EXPECT_EQ(as_count(24.1e9), "24.1 G");
  EXPECT_EQ(as_count(512), "512 ");
  EXPECT_EQ(as_count(4.8e15), "4800 T");
  EXPECT_EQ(as_table({{"a", "bb"}, {"ccc", "d"}}), "a    bb\nccc  d\n");
  EXPECT_EQ(indented("x\ny", "> "), "> x\n> y\n");
}

TEST(Figures, ChooseTheUnitOfTheRoundedNumber) {
  EXPECT_EQ(as_time(0.9994), "999 ms");
  EXPECT_EQ(as_time(0.9996), "1 s");
  EXPECT_EQ(as_time(0.9996e-3), "1 ms");
  EXPECT_EQ(as_time(0.9996e-6), "1 us");
  EXPECT_EQ(as_time(-0.9996), "-1 s");
  EXPECT_EQ(as_count(999.6), "1 k");
  EXPECT_EQ(as_count(999.6e6), "1 G");
}

}  // namespace
}  // namespace ridgeline::history
