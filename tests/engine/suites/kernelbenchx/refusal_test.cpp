// From what a file, its test and its trials say to whether a task can be judged.
#include "engine/suites/kernelbenchx/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/suites/kernelbenchx/known_faults.hpp"
#include "tests/engine/suites/kernelbenchx/small_clone.hpp"

namespace ridgeline::suites::kernelbenchx {
namespace {

using oracle::CallFault;
using testing::ElementsAre;
using testing::HasSubstr;

oracle::Harvest harvest_with(std::vector<oracle::UnjudgedCall> unjudged, std::vector<int> chosen = {1}) {
  oracle::Harvest harvest;
  harvest.chosen = std::move(chosen);
  harvest.calls = static_cast<int>(harvest.chosen.size() + unjudged.size());
  harvest.unjudged = std::move(unjudged);
  return harvest;
}

TEST(Refusal, OfAFileAlone) {
  const auto clone = open_clone(small_clone_root());
  EXPECT_FALSE(decide(clone.tasks[0]).refusal);
  EXPECT_EQ(decide(clone.tasks[2]).refusal, Refusal::quantization);
  EXPECT_THAT(decide(clone.tasks[2]).reason, HasSubstr("asks for int8 weights"));
  auto nameless = clone.tasks[0];
  nameless.entry = "";
  EXPECT_EQ(decide(nameless).refusal, Refusal::no_entry);
}

TEST(Refusal, KnowsAFaultOfOneTextAlone) {
  EXPECT_EQ(known_fault("Activation/selu", "def selu(x):\n    return x\n"), "") << "a mended file is judged";
  EXPECT_EQ(known_fault("Activation/relu", ""), "");
}

TEST(Refusal, OfATaskWithOneCallThatIsRandomOrNotUnique) {
  const auto random = decide(harvest_with({{2, CallFault::random, "draws"}}));
  EXPECT_EQ(random.refusal, Refusal::random);
  EXPECT_THAT(random.reason, HasSubstr("1 of 2 calls draw random numbers"));
  EXPECT_EQ(decide(harvest_with({{2, CallFault::not_unique, "signs"}})).refusal, Refusal::not_unique);
}

TEST(Refusal, CountsWhyNoCallIsJudged) {
  const auto none = decide(harvest_with({{1, CallFault::fixed, "the same"},
                                         {2, CallFault::shape_varies, "shapes"},
                                         {3, CallFault::fixed, "the same"}},
                                        {}));
  EXPECT_EQ(none.refusal, Refusal::nothing_to_judge);
  EXPECT_THAT(none.reason, HasSubstr("of 3 calls none: 2 fixed (the same), 1 shape_varies (shapes)"));
  EXPECT_EQ(none.assessment().standing, Standing::unsupported);
  EXPECT_EQ(decide(harvest_with({}, {})).reason, "its test makes no call");
}

TEST(Refusal, IsNoneWhereSomeCallsAreLeftOut) {
  auto harvest = harvest_with({{2, CallFault::fixed, "the same"}});
  harvest.fixed_inputs = 2;
  const auto decision = decide(harvest);
  EXPECT_FALSE(decision.refusal);
  EXPECT_THAT(decision.notes, ElementsAre("1 of 2 calls are not judged: 1 fixed (the same)",
                                          "the test gives 2 inputs the same value in each draw"));
  EXPECT_EQ(decision.assessment().standing, Standing::ok);
}

TEST(Refusal, OfWhatTheOracleCannotRun) {
  using oracle::FailureKind;
  EXPECT_EQ(decide(oracle::OracleFailure{FailureKind::memory, "m"}).refusal, Refusal::does_not_fit);
  EXPECT_EQ(decide(oracle::OracleFailure{FailureKind::time, "t"}).refusal, Refusal::does_not_fit);
  EXPECT_EQ(decide(oracle::OracleFailure{FailureKind::task, "ValueError: x"}).refusal, Refusal::cannot_run);
  EXPECT_EQ(decide(oracle::OracleFailure{FailureKind::died, "d"}).refusal, Refusal::cannot_run);
}

TEST(Refusal, OfTheTrials) {
  EXPECT_EQ(decide(modules::Assessment{Standing::degenerate, "zeros", {}}).refusal, Refusal::degenerate);
  EXPECT_EQ(decide(modules::Assessment{Standing::broken, "b", {}}).refusal, Refusal::unsound);
  EXPECT_FALSE(decide(modules::Assessment{Standing::unchecked, "", {}}).refusal);
  EXPECT_EQ(decide(modules::Assessment{Standing::broken, "b", {}}).assessment().reason, "unsound: b");
}

TEST(Refusal, NamesArePinned) {
  EXPECT_THAT(all_names<Refusal>(),
              ElementsAre("no_entry", "quantization", "wrong_reference", "cannot_run", "random", "not_unique",
                          "nothing_to_judge", "degenerate", "unsound", "does_not_fit"));
  EXPECT_THAT(all_names<CallFault>(),
              ElementsAre("raises", "fixed", "same_result", "input_copy", "shape_varies", "not_finite",
                          "random", "not_unique", "float64", "argument", "result"));
}

}  // namespace
}  // namespace ridgeline::suites::kernelbenchx
