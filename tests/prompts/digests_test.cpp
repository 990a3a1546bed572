// From verdicts to text: what is said, what is kept secret, what goes first when room is short.
#include <gtest/gtest.h>

#include <limits>
#include <string_view>

#include "prompts/ancestors_digest.hpp"
#include "prompts/call_digest.hpp"
#include "prompts/error_digest.hpp"
#include "prompts/history_digest.hpp"
#include "prompts/mismatch_digest.hpp"
#include "prompts/text.hpp"
#include "prompts/time_digest.hpp"
#include "prompts/token_budget.hpp"
#include "prompts/units.hpp"
#include "tests/prompts/fixtures.hpp"

namespace ridgeline::prompts {
namespace {

using testing::broken_build;
using testing::correct_verdict;
using testing::evaluated;
using testing::failing_at;
using testing::gcc_log;
using testing::holds;
using testing::plenty;
using testing::secrets;
using testing::softmax_task;

Verdict crash(const std::string& case_name, bool hidden) {
  auto verdict = failing_at(Stage::call, Reason::crashed, "SIGSEGV in case " + case_name);
  verdict.call_failure = CallFailure{case_name,
                                     hidden,
                                     InputSet::outlier,
                                     11,
                                     "SIGSEGV",
                                     "kernel_softmax at line 14",
                                     "16 bytes behind `x`",
                                     "N is 77777\n"};
  return verdict;
}

TEST(CallDigest, SaysHowTheCallEndedWhereAndInWhichCase) {
  const auto text = call_digest(crash("ragged", false), softmax_task(), plenty);
  for (const auto* part : {"crashed in case `ragged` (M = 37, N = 129) on inputs with outliers, with SIGSEGV",
                           "kernel_softmax at line 14", "16 bytes behind `x`", "    N is 77777"})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
}

TEST(CallDigest, SaysOnlyTheKindOfFailureOfAnUnseenCase) {
  for (const auto& verdict :
       {crash("secretcase", true), crash("secretcase", false), crash("finalcase", false)}) {
    const auto text = call_digest(verdict, softmax_task(), plenty);
    EXPECT_TRUE(holds(text, "crashed in an unseen case, with SIGSEGV")) << text;
    EXPECT_FALSE(holds(text, "line 14"));
    for (const auto& secret : secrets()) EXPECT_FALSE(holds(text, secret)) << text;
  }
}

TEST(CallDigest, SaysTheReasonWhereThereAreNoFacts) {
  const auto text =
      call_digest(failing_at(Stage::call, Reason::timed_out, "10 s a call"), softmax_task(), plenty);
  EXPECT_EQ(text, "The kernel did not finish in time.\n10 s a call");
}

Mismatch mismatch_in(const std::string& case_name, bool hidden) {
  Mismatch one;
  one.case_name = case_name;
  one.hidden = hidden;
  one.output = "y";
  one.shape = {37, 129};
  one.elements = 4773;
  one.wrong = 37;
  one.worst_absolute = 0.125;
  one.worst_relative = 0.5;
  one.tolerance = 1.2e-6;
  one.pattern = Pattern::tail;
  one.pattern_detail = "columns >= 128 of every row";
  one.first = {{{0, 128}, 0.25, 0}, {{1, 128}, 0.5, std::numeric_limits<double>::quiet_NaN()}};
  return one;
}

Verdict wrong(const Mismatch& mismatch) {
  auto verdict = failing_at(Stage::correctness, Reason::wrong_values, "wrong in " + mismatch.case_name);
  verdict.mismatches = {mismatch};
  return verdict;
}

TEST(MismatchDigest, SaysCaseExtentPatternAndTheFirstWrongElements) {
  const auto text = mismatch_digest(wrong(mismatch_in("ragged", false)), softmax_task(), plenty);
  for (const auto* part :
       {"wrote wrong values", "Case `ragged` (M = 37, N = 129), standard inputs",
        "Output `y` [37, 129]: 37 of 4773 elements wrong (0.8 %); at worst off by 0.125 where 1.2e-06 is "
        "allowed (relative error 0.5).",
        "a remainder is not handled (columns >= 128 of every row)", "- y[0, 128] is 0, expected 0.25",
        "- y[1, 128] is nan, expected 0.5"})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
}

TEST(MismatchDigest, SaysNeitherShapeNorValuesOfAnUnseenCase) {
  auto hidden = mismatch_in("secretcase", true);
  hidden.shape = {31337, 77777};
  hidden.elements = 31337;
  hidden.pattern_detail = "columns >= 77777";
  for (const bool marked : {true, false}) {
    hidden.hidden = marked;
    const auto text = mismatch_digest(wrong(hidden), softmax_task(), plenty);
    EXPECT_TRUE(holds(text, "wrote wrong values in an unseen case")) << text;
    EXPECT_FALSE(holds(text, "0.25"));
    for (const auto& secret : secrets()) EXPECT_FALSE(holds(text, secret)) << text;
  }
}

TEST(MismatchDigest, ADetailThatNamesAnUnseenCaseIsNotShown) {
  const auto verdict =
      failing_at(Stage::correctness, Reason::input_modified, "x changed in secretcase (M = 31337)");
  const auto text = mismatch_digest(verdict, softmax_task(), plenty);
  EXPECT_EQ(text, "It compiles and runs, but the kernel changed one of its inputs.");
}

TEST(MismatchDigest, KeepsThePatternWhenRoomIsShort) {
  const auto text = mismatch_digest(wrong(mismatch_in("ragged", false)), softmax_task(), 95);
  EXPECT_LE(estimate_tokens(text), 95);
  EXPECT_TRUE(holds(text, "Pattern:"));
  EXPECT_FALSE(holds(text, "expected 0.25"));
}

TEST(ErrorDigest, ChoosesByTheStageThatFailed) {
  const auto task = softmax_task();
  EXPECT_TRUE(holds(error_digest(*evaluated("s", broken_build(gcc_log)), task, plenty), "does not compile"));
  EXPECT_TRUE(holds(error_digest(*evaluated("s", crash("ragged", false)), task, plenty), "crashed"));
  EXPECT_TRUE(
      holds(error_digest(*evaluated("s", wrong(mismatch_in("ragged", false))), task, plenty), "Pattern"));
  const auto timed = failing_at(Stage::timing, Reason::wrong_when_timed);
  EXPECT_TRUE(
      holds(error_digest(*evaluated("s", timed), task, plenty), "carries something over between calls"));
  EXPECT_EQ(error_digest(*evaluated("s", correct_verdict()), task, plenty), "");
}

TEST(ErrorDigest, BlamesNeitherTheKernelForTheMachineNorTheOtherWayRound) {
  auto lost = failing_at(Stage::call, Reason::worker_lost);
  lost.at(Stage::call).status = Status::unavailable;
  EXPECT_TRUE(holds(error_digest(*evaluated("s", lost), softmax_task(), plenty), "not its fault"));
  auto cheat = correct_verdict();
  cheat.cheated = true;
  cheat.flags = {"wrote to another slot"};
  EXPECT_TRUE(holds(error_digest(*evaluated("s", cheat), softmax_task(), plenty), "wrote to another slot"));
}

TEST(ErrorDigest, EveryReasonHasWords) {
  for (const auto& name : all_names<Reason>()) {
    const auto reason = from_name<Reason>(name).value();
    if (reason == Reason::none) continue;
    const auto text =
        error_digest(*evaluated("s", failing_at(Stage::correctness, reason)), softmax_task(), plenty);
    EXPECT_FALSE(holds(text, "the kernel failed.")) << name;
  }
}

TEST(TimeDigest, SaysTheSpeedupWithItsIntervalAndALineForEachCase) {
  const auto text = time_digest(correct_verdict(), softmax_task(), plenty);
  for (const auto* part :
       {"Speed-up 2.00x (95 % interval 1.96x to 2.04x)",
        "against eager LibTorch 2.11.0, 1 thread, float32.\n\n- `square`",
        "- `square` (M = 1024, N = 1024): 400 µs, baseline 800 µs, 2.00x", "and cases that you do not see"})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
  for (const auto& secret : secrets()) EXPECT_FALSE(holds(text, secret)) << text;
}

TEST(TimeDigest, SaysReplayedTimeAndEnergyIfTheyWereMeasured) {
  auto verdict = correct_verdict();
  auto& one = verdict.timing->cases.front();
  one.hot.median = 7e-6;
  EXPECT_FALSE(holds(time_digest(verdict, softmax_task(), plenty), "graph"));
  one.replayed.median = 6e-6;
  one.energy = 4e-3;
  one.energy_above_idle = 3e-3;
  const auto text = time_digest(verdict, softmax_task(), plenty);
  EXPECT_TRUE(
      holds(text, "with operands in the cache, 6.00 µs of them without launches (replayed as a graph)"))
      << text;
  EXPECT_TRUE(holds(text, "; 4 mJ a call, 75 % of them above idle")) << text;
  one.energy = 2.5;
  EXPECT_TRUE(holds(time_digest(verdict, softmax_task(), plenty), "; 2500 mJ a call"));
}

TEST(TimeDigest, SaysThatThereAreNoTimes) {
  auto verdict = correct_verdict();
  verdict.timing.reset();
  EXPECT_EQ(time_digest(verdict, softmax_task(), plenty), "The kernel is correct and was not timed.");
}

TEST(HistoryDigest, HasALineForEachAttemptAndDropsTheOldestFirst) {
  const HistoryFeedback history{
      {evaluated("a", broken_build(gcc_log), 0), evaluated("b", wrong(mismatch_in("ragged", false)), 1),
       evaluated("c", wrong(mismatch_in("secretcase", true)), 2), evaluated("d", correct_verdict(), 3)}};
  const auto text = history_digest(history, softmax_task(), plenty);
  for (const auto* part :
       {"- round 1: does not compile: 'expf2' was not declared", "- round 2: wrote wrong values in `ragged`",
        "- round 3: wrote wrong values in an unseen case", "- round 4: correct, speed-up 2.00x"})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
  EXPECT_FALSE(holds(text, "secretcase"));
  const auto brief = history_digest(history, softmax_task(), 25);
  EXPECT_TRUE(holds(brief, "round 4"));
  EXPECT_FALSE(holds(brief, "round 1:"));
}

TEST(AncestorsDigest, ShowsSourceTimesEfficiencyAndAnalysisWorstFirst) {
  const AncestorsFeedback feedback{
      {evaluated("int slow;", correct_verdict()), evaluated("int fast;", correct_verdict())},
      {"", "It is bound by memory."}};
  const auto text = ancestors_digest(feedback, softmax_task(), plenty);
  EXPECT_LT(text.find("### Kernel 1 of 2, the slowest"), text.find("int slow;"));
  EXPECT_LT(text.find("int slow;"), text.find("### Kernel 2 of 2, the fastest"));
  EXPECT_TRUE(holds(text, "```cpp\nint fast;\n```"));
  EXPECT_TRUE(holds(text, "Efficiency: 50 % of the roofline"));
  EXPECT_TRUE(holds(text, "Analysis: It is bound by memory."));
  const auto brief = ancestors_digest(feedback, softmax_task(), estimate_tokens(text) - 20);
  EXPECT_FALSE(holds(brief, "int slow;"));
  EXPECT_TRUE(holds(brief, "int fast;"));
}

TEST(Excerpt, DropsTheLeastImportantFirstAndKeepsTheOrder) {
  Excerpt excerpt;
  const std::string first(40, 'a'), second(40, 'b'), third(40, 'c');
  excerpt.add(first, 1);
  excerpt.add(second, 3);
  excerpt.add(third, 2);
  EXPECT_EQ(excerpt.within(31), first + "\n" + second + "\n" + third);
  EXPECT_EQ(excerpt.within(30), second + "\n" + third + "\n(1 more left out)");
  EXPECT_EQ(excerpt.within(20), second + "\n(2 more left out)");
}

TEST(Excerpt, NeverExceedsItsBudgetNorBreaksACharacter) {
  Excerpt excerpt;
  std::string umlauts;
  for (int i = 0; i < 1000; ++i) umlauts += "ü";
  excerpt.add(umlauts, 1);
  excerpt.add("more", 0);
  for (int tokens = 9; tokens < 60; ++tokens) {
    const auto text = excerpt.within(tokens);
    EXPECT_LE(estimate_tokens(text), tokens);
    EXPECT_EQ(text, clean(text));
  }
}

TEST(Units, HaveThreeDigitsAndAUnit) {
  EXPECT_EQ(time_text(152.4e-6), "152 µs");
  EXPECT_EQ(time_text(0.9996e-6), "1.00 µs");
  EXPECT_EQ(time_text(12.34), "12.3 s");
  EXPECT_EQ(time_text(0.9996), "1.00 s");
  EXPECT_EQ(time_text(1234.4), "1234 s");
  EXPECT_EQ(bytes_text(512), "512 bytes");
  EXPECT_EQ(bytes_text(4.19e6), "4.19 MB");
  EXPECT_EQ(count_text(7), "7");
  EXPECT_EQ(percent_text(0.26), "26 %");
  EXPECT_EQ(percent_text(0.008), "0.8 %");
}

}  // namespace
}  // namespace ridgeline::prompts
