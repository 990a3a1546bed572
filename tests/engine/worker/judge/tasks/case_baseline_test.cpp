// Which baseline a case keeps: what happens to it in, its state out, as a log. No clock and no process.
#include "engine/worker/judge/tasks/case_baseline.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace ridgeline::judge {
namespace {

constexpr auto both = BusyHostSlows::both;
constexpr auto alone = BusyHostSlows::baseline_alone;

/// A measurement whose interval reaches 2 % to either side.
Duration around(double median) {
  return {.median = median, .low = 0.98 * median, .high = 1.02 * median};
}

/// Passes events to a baseline, and writes each one with the state after it.
class BaselineLog {
 public:
  void expectation(double seconds) {
    baseline.expectation_drawn(seconds);
    line(fmt::format("expectation {}", seconds));
  }
  void check(double drift, BusyHostSlows slows) {
    const auto after = baseline.check_ended(drift, slows);
    line(fmt::format("check x{} -> {}", drift,
                     after == CaseBaseline::AfterCheck::stands ? "stands" : "measure anew"));
  }
  void measurement(double median, BusyHostSlows slows) {
    baseline.measurement_ended(around(median), slows);
    line(fmt::format("measurement {}", median));
  }
  void rounds(double median) {
    baseline.rounds_ended(around(median));
    line(fmt::format("rounds {}", median));
  }
  void other_work(const CaseBaseline& before) {
    baseline.measured_beside_other_work(before);
    line("other work");
  }
  void candidate_ran(const CaseBaseline& before) {
    baseline.candidate_ran_meanwhile(before);
    line("candidate ran");
  }

  CaseBaseline baseline;
  std::string text = "\n";

 private:
  void line(const std::string& event) {
    text += fmt::format("{}: {}{}, call {}\n", event,
                        baseline.kept() ? fmt::format("kept {}", baseline.kept()->median) : "none",
                        baseline.confirmed() ? ", confirmed" : "", baseline.reference_seconds());
  }
};

TEST(CaseBaseline, KeepsTheFirstMeasurementAndIsConfirmedByALaterCheck) {
  BaselineLog log;
  log.expectation(9);
  log.expectation(8);
  log.measurement(4, both);
  log.expectation(7);
  log.check(1.1, both);
  EXPECT_EQ(log.text, R"(
expectation 9: none, call 9
expectation 8: none, call 9
measurement 4: kept 4, call 4
expectation 7: kept 4, call 4
check x1.1 -> stands: kept 4, confirmed, call 4
)");
}

TEST(CaseBaseline, IsReplacedEitherWayIfABusyHostSlowsBothSides) {
  BaselineLog log;
  log.measurement(4, both);
  log.check(1.5, both);
  log.measurement(6, both);
  log.check(0.5, both);
  log.measurement(3, both);
  EXPECT_EQ(log.text, R"(
measurement 4: kept 4, call 4
check x1.5 -> measure anew: kept 4, confirmed, call 4
measurement 6: kept 6, call 6
check x0.5 -> measure anew: kept 6, call 6
measurement 3: kept 3, call 3
)");
}

TEST(CaseBaseline, IsReplacedOnlyByAFasterOneIfABusyHostSlowsItAlone) {
  BaselineLog log;
  log.measurement(4, alone);
  log.check(2, alone);
  log.check(0.9, alone);
  log.measurement(3.9, alone);  // the intervals meet
  log.check(0.5, alone);
  log.measurement(2, alone);
  EXPECT_EQ(log.text, R"(
measurement 4: kept 4, call 4
check x2 -> stands: kept 4, confirmed, call 4
check x0.9 -> measure anew: kept 4, call 4
measurement 3.9: kept 4, confirmed, call 4
check x0.5 -> measure anew: kept 4, call 4
measurement 2: kept 2, call 2
)");
}

TEST(CaseBaseline, KeepsWhatRoundsMeasuredUnconfirmed) {
  BaselineLog log;
  log.rounds(4);
  log.check(1, both);
  log.rounds(9);
  EXPECT_EQ(log.text, R"(
rounds 4: kept 4, call 4
check x1 -> stands: kept 4, confirmed, call 4
rounds 9: kept 9, call 9
)");
}

TEST(CaseBaseline, TakesBackWhatWasMeasuredBesideOtherWork) {
  BaselineLog log;
  log.expectation(9);
  const auto before = log.baseline;
  log.measurement(4, both);
  log.other_work(before);
  log.measurement(5, both);
  log.check(1, both);
  const auto confirmed = log.baseline;
  log.check(2, both);
  log.measurement(10, both);
  log.other_work(confirmed);
  EXPECT_EQ(log.text, R"(
expectation 9: none, call 9
measurement 4: kept 4, call 4
other work: none, call 9
measurement 5: kept 5, call 5
check x1 -> stands: kept 5, confirmed, call 5
check x2 -> measure anew: kept 5, confirmed, call 5
measurement 10: kept 10, call 10
other work: kept 5, confirmed, call 5
)");
}

TEST(CaseBaseline, IsUnconfirmedAfterACandidateRanWhileItWasMeasured) {
  BaselineLog log;
  log.measurement(4, both);
  log.check(1, both);
  const auto before = log.baseline;
  log.check(2, both);
  log.measurement(8, both);
  log.candidate_ran(before);
  EXPECT_EQ(log.text, R"(
measurement 4: kept 4, call 4
check x1 -> stands: kept 4, confirmed, call 4
check x2 -> measure anew: kept 4, confirmed, call 4
measurement 8: kept 8, call 8
candidate ran: kept 4, call 4
)");
}

TEST(CaseBaseline, IsDueUntilItIsConfirmedAndWheneverACheckIsWanted) {
  CaseBaseline baseline;
  EXPECT_TRUE(baseline.is_due(false));
  baseline.measurement_ended(around(4), both);
  EXPECT_TRUE(baseline.is_due(false)) << "measured once";
  baseline.check_ended(1, both);
  EXPECT_FALSE(baseline.is_due(false));
  EXPECT_TRUE(baseline.is_due(true));
}

TEST(CaseBaseline, HasNoDriftBeforeItIsMeasured) {
  CaseBaseline baseline;
  EXPECT_THROW(baseline.drift_of(4), std::logic_error);
  EXPECT_THROW(baseline.check_ended(1, both), std::logic_error);
  baseline.rounds_ended(around(4));
  EXPECT_EQ(baseline.drift_of(6), 1.5);
}

TEST(BaselineDrift, CountsFromThreePercentFasterIfABusyHostSlowsTheBaselineAloneAndFrom15PercentElse) {
  EXPECT_FALSE(has_drifted(1 / 1.02, alone));
  EXPECT_TRUE(has_drifted(1 / 1.05, alone));
  EXPECT_FALSE(has_drifted(1.5, alone));
  EXPECT_FALSE(has_drifted(1 / 1.05, both));
  EXPECT_TRUE(has_drifted(1 / 1.2, both));
  EXPECT_TRUE(has_drifted(1.2, both));
}

TEST(BaselineDrift, ReplacesTheKeptBaselineOnlyIfFasterBeyondDoubtWhenTheHostSlowsItAlone) {
  EXPECT_TRUE(replaces(around(0.9), around(1), alone));
  EXPECT_FALSE(replaces(around(0.97), around(1), alone)) << "the intervals meet";
  EXPECT_FALSE(replaces(around(1.2), around(1), alone));
  EXPECT_TRUE(replaces(around(1.2), around(1), both));
}

}  // namespace
}  // namespace ridgeline::judge
