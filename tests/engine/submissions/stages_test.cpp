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

ProcessEnd ended(int exit, json reported = json::object(), const std::string& said = "") {
  ProcessEnd end;
  end.exit = exit;
  end.reported = std::move(reported);
  end.stderr_head = said;
  return end;
}

ProcessEnd not_ended(ProcessEnd::Kind kind, const std::string& what) {
  ProcessEnd end;
  end.kind = kind;
  end.what = what;
  end.reported = json::object();
  return end;
}

Correctness after_call(const ProcessEnd& end) {
  Correctness correctness;
  read_call(end, correctness);
  return correctness;
}

TEST(CallStage, PassesByItsExitStatusAlone) {
  const auto correctness = after_call(ended(0, {{"missing_entry_point", ""}}, "a warning"));
  EXPECT_EQ(correctness.call, StageEnd::passed);
  EXPECT_EQ(correctness.call_error, "a warning")
      << "KernelBench-X's scripts keep what a right one prints, too";
}

TEST(CallStage, SaysHowItFailed) {
  EXPECT_EQ(after_call(ended(1, {{"missing_entry_point", "kernel entry check: no"}})).call,
            StageEnd::no_entry);
  EXPECT_EQ(after_call(ended(1, {{"missing_entry_point", ""}}, "Traceback")).call, StageEnd::failed);
  const auto crashed = after_call(ended(-11));
  EXPECT_EQ(crashed.call, StageEnd::killed);
  EXPECT_EQ(crashed.call_error, "killed by signal 11");
  const auto late = after_call(not_ended(ProcessEnd::Kind::late, "ended after 300 s"));
  EXPECT_EQ(late.call, StageEnd::timed_out);
  EXPECT_THAT(late.notes,
              ElementsAre("call: ended after 300 s; KernelBench-X's scripts would have waited on"));
  EXPECT_EQ(after_call(not_ended(ProcessEnd::Kind::killed, "used more than 32 GiB")).call_error,
            "used more than 32 GiB");
}

TEST(ExecutionStage, IsComparedWhereTheCandidateRan) {
  Correctness correctness;
  EXPECT_TRUE(read_execution(ended(0, {{"ran", true}, {"shared", true}, {"error", ""}}), correctness));
  read_comparison(ended(0, {{"same", true}, {"error", ""}, {"figures", nullptr}}), correctness);
  EXPECT_EQ(correctness.execution, StageEnd::passed);
  EXPECT_FALSE(correctness.isolation_changed());
  EXPECT_THAT(correctness.notes, IsEmpty());
}

TEST(ExecutionStage, FailsInTheCandidatesOwnWords) {
  Correctness correctness;
  EXPECT_FALSE(read_execution(ended(0, {{"ran", false}, {"shared", false}, {"error", "no such kernel"}}),
                              correctness));
  EXPECT_EQ(correctness.execution, StageEnd::failed);
  EXPECT_EQ(correctness.execution_error, "no such kernel");
  EXPECT_FALSE(correctness.isolation_changed());
}

TEST(ExecutionStage, NotesBothWaysInWhichIsolationChangesAVerdict) {
  Correctness lenient;
  read_execution(ended(0, {{"ran", true}, {"shared", true}, {"error", ""}}), lenient);
  read_comparison(ended(0, {{"same", false}, {"error", "not close"}}), lenient);
  EXPECT_EQ(lenient.execution, StageEnd::failed);
  EXPECT_TRUE(lenient.isolation_changed());
  EXPECT_THAT(lenient.notes,
              ElementsAre(HasSubstr("right only with the reference in the candidate's own process")));

  Correctness strict;
  read_execution(ended(0, {{"ran", true}, {"shared", false}, {"error", "its default dtype"}}), strict);
  read_comparison(ended(0, {{"same", true}, {"error", ""}}), strict);
  EXPECT_EQ(strict.execution, StageEnd::passed);
  EXPECT_THAT(strict.notes, ElementsAre(HasSubstr("in one process with it wrong: its default dtype")));
}

TEST(ExecutionStage, ACandidateThatEndsItsProcessFails) {
  Correctness correctness;
  EXPECT_FALSE(read_execution(ended(0), correctness));
  EXPECT_EQ(correctness.execution, StageEnd::failed);
  EXPECT_EQ(correctness.in_one_process, std::nullopt);
  EXPECT_THAT(correctness.notes, ElementsAre(HasSubstr("may end the stage for others")));
}

TEST(ExecutionStage, ALyingReportOfAnotherShapeCountsAsNothingSaid) {
  Correctness correctness;
  EXPECT_FALSE(read_execution(ended(0, {{"ran", "yes"}, {"shared", 1}, {"error", {1, 2}}}), correctness));
  EXPECT_EQ(correctness.execution, StageEnd::failed);
}

TEST(ScoringOutcome, SurvivesItsDocument) {
  Correctness correctness;
  read_execution(ended(0, {{"ran", true}, {"shared", true}, {"error", ""}}), correctness);
  read_comparison(ended(0, {{"same", false}, {"error", "not close"}, {"figures", {{"rmse", 0.5}}}}),
                  correctness);
  correctness.call = StageEnd::passed;
  EXPECT_EQ(as_json(correctness_from(as_json(correctness))), as_json(correctness));
  Performance performance;
  performance.end = StageEnd::timed_out;
  performance.sizes = json{{{"ms", 1.0}}};
  EXPECT_EQ(as_json(performance_from(as_json(performance))), as_json(performance));
}

}  // namespace
}  // namespace ridgeline::submissions
