// How the ends of processes become verdicts; no process is started.
#include "engine/submissions/stages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::submissions {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

JobEnd ended(int exit, json reported = json::object(), const std::string& said = "") {
  JobEnd end;
  end.exit = exit;
  end.reported = std::move(reported);
  end.stderr_head = said;
  return end;
}

JobEnd not_ended(JobEnd::Kind kind, const std::string& what) {
  JobEnd end;
  end.kind = kind;
  end.what = what;
  end.reported = json::object();
  return end;
}

Judged after_call(const JobEnd& end) {
  Judged judged;
  read_call(end, judged);
  return judged;
}

TEST(CallStage, PassesByItsExitStatusAlone) {
  const auto judged = after_call(ended(0, {{"entry", ""}}, "a warning"));
  EXPECT_EQ(judged.call, StageEnd::passed);
  EXPECT_EQ(judged.call_error, "a warning") << "its scripts keep what a right one prints, too";
}

TEST(CallStage, SaysHowItFailed) {
  EXPECT_EQ(after_call(ended(1, {{"entry", "kernel entry check: no"}})).call, StageEnd::no_entry);
  EXPECT_EQ(after_call(ended(1, {{"entry", ""}}, "Traceback")).call, StageEnd::failed);
  const auto crashed = after_call(ended(-11));
  EXPECT_EQ(crashed.call, StageEnd::killed);
  EXPECT_EQ(crashed.call_error, "killed by signal 11");
  const auto late = after_call(not_ended(JobEnd::Kind::late, "ended after 300 s"));
  EXPECT_EQ(late.call, StageEnd::timed_out);
  EXPECT_THAT(late.notes,
              ElementsAre("call: ended after 300 s; KernelBench-X's scripts would have waited on"));
  EXPECT_EQ(after_call(not_ended(JobEnd::Kind::killed, "used more than 32 GiB")).call_error,
            "used more than 32 GiB");
}

TEST(ExecutionStage, IsComparedWhereTheCandidateRan) {
  Judged judged;
  EXPECT_TRUE(read_execution(ended(0, {{"ran", true}, {"shared", true}, {"error", ""}}), judged));
  read_comparison(ended(0, {{"same", true}, {"error", ""}, {"figures", nullptr}}), judged);
  EXPECT_EQ(judged.execution, StageEnd::passed);
  EXPECT_FALSE(judged.isolation_changed());
  EXPECT_THAT(judged.notes, IsEmpty());
}

TEST(ExecutionStage, FailsInTheCandidatesOwnWords) {
  Judged judged;
  EXPECT_FALSE(
      read_execution(ended(0, {{"ran", false}, {"shared", false}, {"error", "no such kernel"}}), judged));
  EXPECT_EQ(judged.execution, StageEnd::failed);
  EXPECT_EQ(judged.execution_error, "no such kernel");
  EXPECT_FALSE(judged.isolation_changed());
}

TEST(ExecutionStage, NotesBothWaysInWhichIsolationChangesAVerdict) {
  Judged lenient;
  read_execution(ended(0, {{"ran", true}, {"shared", true}, {"error", ""}}), lenient);
  read_comparison(ended(0, {{"same", false}, {"error", "not close"}}), lenient);
  EXPECT_EQ(lenient.execution, StageEnd::failed);
  EXPECT_TRUE(lenient.isolation_changed());
  EXPECT_THAT(lenient.notes,
              ElementsAre(HasSubstr("right only with the reference in the candidate's own process")));

  Judged strict;
  read_execution(ended(0, {{"ran", true}, {"shared", false}, {"error", "its default dtype"}}), strict);
  read_comparison(ended(0, {{"same", true}, {"error", ""}}), strict);
  EXPECT_EQ(strict.execution, StageEnd::passed);
  EXPECT_THAT(strict.notes, ElementsAre(HasSubstr("in one process with it wrong: its default dtype")));
}

TEST(ExecutionStage, ACandidateThatEndsItsProcessFails) {
  Judged judged;
  EXPECT_FALSE(read_execution(ended(0), judged));
  EXPECT_EQ(judged.execution, StageEnd::failed);
  EXPECT_EQ(judged.in_one_process, std::nullopt);
  EXPECT_THAT(judged.notes, ElementsAre(HasSubstr("may end the stage for others")));
}

TEST(ExecutionStage, ALyingReportOfAnotherShapeCountsAsNothingSaid) {
  Judged judged;
  EXPECT_FALSE(read_execution(ended(0, {{"ran", "yes"}, {"shared", 1}, {"error", {1, 2}}}), judged));
  EXPECT_EQ(judged.execution, StageEnd::failed);
}

TEST(ScoringOutcome, SurvivesItsDocument) {
  Judged judged;
  read_execution(ended(0, {{"ran", true}, {"shared", true}, {"error", ""}}), judged);
  read_comparison(ended(0, {{"same", false}, {"error", "not close"}, {"figures", {{"rmse", 0.5}}}}), judged);
  judged.call = StageEnd::passed;
  EXPECT_EQ(as_json(judged_from(as_json(judged))), as_json(judged));
  Timed timed;
  timed.end = StageEnd::timed_out;
  timed.rows = json{{{"ms", 1.0}}};
  EXPECT_EQ(as_json(timed_from(as_json(timed))), as_json(timed));
}

}  // namespace
}  // namespace ridgeline::submissions
