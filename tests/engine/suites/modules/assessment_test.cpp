// From facts to a standing.
#include "engine/suites/modules/assessment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::suites::modules {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

oracle::CheckFacts sound() {
  oracle::CheckFacts facts;
  facts.trials.assign(5, "");
  facts.float64 = oracle::Float64Facts{0.3, 0, 100, ""};
  return facts;
}

TEST(Assessment, IsOkWithoutNotesForASoundTask) {
  const auto result = assess(sound());
  EXPECT_EQ(result.standing, Standing::ok);
  EXPECT_THAT(result.reason, IsEmpty());
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST(Assessment, NamesTheTrialThatFailed) {
  auto facts = sound();
  facts.trials[2] = "output 0: shape [3] in the place of [4]";
  facts.nulls = {{"zeros", "zeros"}};
  const auto result = assess(facts);
  EXPECT_EQ(result.standing, Standing::broken);
  EXPECT_THAT(result.reason, HasSubstr("in trial 3: output 0: shape [3]"));
}

TEST(Assessment, CallsARandomForwardBroken) {
  auto facts = sound();
  facts.random = true;
  EXPECT_EQ(assess(facts).standing, Standing::broken);
}

TEST(Assessment, NamesThePlainestNullThatPasses) {
  auto facts = sound();
  facts.nulls = {{"partial_work", "zeros in the first half"}, {"partial_work", "zeros in the second half"}};
  EXPECT_EQ(assess(facts).standing, Standing::degenerate);
  EXPECT_EQ(assess(facts).reason, "passed by zeros in the first half, by zeros in the second half");
  facts.nulls.push_back({"zeros", "zeros"});
  EXPECT_EQ(assess(facts).reason, "passed by zeros");
}

TEST(Assessment, NotesFactsThatSpeakNotAgainstATask) {
  auto facts = sound();
  facts.repeats = false;
  facts.cast = "RuntimeError: expected scalar type Long but found Float";
  facts.float64 = oracle::Float64Facts{2.5, 3, 100, ""};
  const auto result = assess(facts);
  EXPECT_EQ(result.standing, Standing::ok);
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("differ in bits"), HasSubstr("found Float"),
                                        HasSubstr("3 of 100 elements")));
  facts.cast = "";
  facts.float64 = oracle::Float64Facts{.failure = "RuntimeError: no double"};
  EXPECT_THAT(assess(facts).notes, ElementsAre(HasSubstr("bits"), HasSubstr("no double")));
}

TEST(Assessment, SaysNothingOfKernelBenchsEvaluatorToOthers) {
  auto facts = sound();
  facts.repeats = false;
  facts.cast = "RuntimeError: expected scalar type Long but found Float";
  facts.float64 = oracle::Float64Facts{2.5, 3, 100, ""};
  EXPECT_THAT(assess(facts, Evaluator::another).notes, ElementsAre(HasSubstr("differ in bits")));
}

TEST(Assessment, SeparatesTasksThatDoNotFitFromTasksThatDoNotRun) {
  EXPECT_EQ(assess(oracle::OracleFailure{oracle::FailureKind::memory, "m"}).standing, Standing::does_not_fit);
  EXPECT_EQ(assess(oracle::OracleFailure{oracle::FailureKind::time, "t"}).standing, Standing::does_not_fit);
  EXPECT_EQ(assess(oracle::OracleFailure{oracle::FailureKind::task, "t"}).standing, Standing::broken);
  EXPECT_EQ(assess(oracle::OracleFailure{oracle::FailureKind::died, "d"}).standing, Standing::broken);
}

TEST(TrialBytes, CountTwoModelsAndTheOutputsOfTwoDraws) {
  const oracle::TaskBytes bytes{.state = 1000, .inputs = 100, .outputs = 10, .forward = 1};
  EXPECT_EQ(trial_bytes(bytes), 2121U);
  EXPECT_EQ(float64_bytes(bytes), 4312U);
}

TEST(Names, OfStandingsAndFailuresArePinned) {
  EXPECT_THAT(all_names<Standing>(),
              ElementsAre("ok", "unchecked", "degenerate", "broken", "does_not_fit", "unsupported"));
  EXPECT_THAT(all_names<oracle::FailureKind>(), ElementsAre("task", "memory", "time", "died"));
  EXPECT_THAT(all_names<StateKind>(), ElementsAre("parameter", "buffer", "attribute"));
}

}  // namespace
}  // namespace ridgeline::suites::modules
