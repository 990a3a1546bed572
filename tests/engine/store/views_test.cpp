// The columns and views that SQL computes from a verdict agree with the verdict in C++.
#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>
#include <limits>
#include <span>
#include <sstream>

#include "tests/engine/store/campaign_fixture.hpp"

namespace ridgeline::store {
namespace {

class Views : public samples::CampaignFixture {
 protected:
  /// Records evaluations of the verdicts, one a step, with ids from 1.
  void record(const std::vector<Verdict>& verdicts) {
    const auto answer = samples::candidate(1);
    writer().record(samples::ask(id, 0, 0, &answer), answer, expect_committed());
    for (auto verdict : verdicts) {
      verdict.candidate = answer.hash;
      writer().record(samples::evaluation(id, step_++, 0, verdict), expect_committed());
    }
    writer().flush();
  }

  /// A line for each row, values after their types. A real is given with 15 digits: SQLite's reader of
  /// numbers may be off by a unit in the last place.
  std::string rows(const std::string& query) {
    SQLite::Statement statement(reader().database(), query);
    std::string text;
    while (statement.executeStep()) {
      for (int i = 0; i < statement.getColumnCount(); ++i) {
        const auto column = statement.getColumn(i);
        if (column.isNull())
          text += null();
        else if (column.isFloat())
          text += real(column.getDouble());
        else if (column.isInteger())
          text += integer(column.getInt64());
        else if (column.isBlob())
          text += blob({static_cast<const double*>(column.getBlob()),
                        static_cast<std::size_t>(column.getBytes()) / sizeof(double)});
        else
          text += "text:" + column.getString() + "|";
      }
      text += "\n";
    }
    return text;
  }

  static std::string null() { return "null|"; }
  static std::string real(double value) {
    if (std::isnan(value)) return null();
    std::ostringstream text;
    text.precision(15);
    text << "real:" << value << "|";
    return std::move(text).str();
  }
  static std::string integer(std::int64_t value) { return "integer:" + std::to_string(value) + "|"; }
  static std::string blob(std::span<const double> samples) {
    std::string text = "blob:";
    for (const double sample : samples) text += real(sample);
    return text + "|";
  }
  static std::string text(std::string_view value) { return "text:" + std::string(value) + "|"; }
  static std::string duration(const Duration& d) {
    return real(d.median) + real(d.low) + real(d.high) + integer(d.converged) + blob(d.samples);
  }

 private:
  int step_ = 0;
};

/// Verdicts with everything in them, with failures of each stage, and with numbers that are not finite.
std::vector<Verdict> many_verdicts() {
  std::vector<Verdict> verdicts{samples::correct_verdict("t", "", 1e-3, 100), {}};
  for (const auto stage : {Stage::build, Stage::call, Stage::correctness, Stage::timing})
    verdicts.push_back(samples::failed_verdict("t", "", stage, Reason::timed_out));
  auto odd = samples::correct_verdict("t", "", 1.0 / 3, 7);
  odd.errors[0].median = std::numeric_limits<double>::infinity();
  odd.errors[1].p99 = -std::numeric_limits<double>::infinity();
  odd.errors[2].worst = std::numeric_limits<double>::quiet_NaN();
  odd.rooflines[0].intensity = std::numeric_limits<double>::quiet_NaN();
  odd.timing->cases[1].clock_hz = 1.98e9;
  odd.timing->cases[1].hot = {};
  odd.timing->cases[0].replayed.converged = false;
  verdicts.push_back(odd);
  auto without_samples = samples::correct_verdict("t", "", 1e-3, 1);
  for (auto& c : without_samples.timing->cases)
    for (auto* duration : {&c.cold, &c.hot, &c.baseline_cold, &c.replayed}) duration->samples.clear();
  verdicts.push_back(without_samples);
  return verdicts;
}

TEST_F(Views, StageResultsAreTheStagesThatHaveSomethingToSay) {
  const auto verdicts = many_verdicts();
  record(verdicts);
  std::string expected;
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    for (const auto& [stage, name] : enum_names(Stage{})) {
      const auto& result = verdicts[i].at(stage);
      if (result.status == Status::not_reached) continue;
      expected += integer(static_cast<std::int64_t>(i) + 1) + integer(static_cast<int>(stage)) + text(name) +
                  text(to_string(result.status)) + text(to_string(result.reason)) + text(result.detail) +
                  real(result.seconds) + "\n";
    }
  EXPECT_EQ(rows("SELECT * FROM stage_results ORDER BY evaluation, ordinal"), expected);
}

TEST_F(Views, TimingsAreTheTimedCasesWithTheirSamples) {
  const auto verdicts = many_verdicts();
  record(verdicts);
  std::string expected;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (!verdicts[i].timing) continue;
    int ordinal = 0;
    for (const auto& c : verdicts[i].timing->cases)
      expected += integer(static_cast<std::int64_t>(i) + 1) + integer(ordinal++) + text(c.case_name) +
                  duration(c.cold) + duration(c.hot) + duration(c.baseline_cold) + real(c.baseline_drift) +
                  real(c.claimed) + real(c.cpu_seconds) + integer(c.slots_verified) + real(c.speedup) +
                  real(c.speedup_low) + real(c.speedup_high) + real(c.clock_hz) + duration(c.replayed) +
                  real(c.energy) + real(c.energy_above_idle) + "\n";
  }
  EXPECT_EQ(rows("SELECT * FROM timings ORDER BY evaluation, ordinal"), expected);
}

TEST_F(Views, ErrorQuantilesMayBeInfinite) {
  const auto verdicts = many_verdicts();
  record(verdicts);
  std::string expected;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    int ordinal = 0;
    for (const auto& error : verdicts[i].errors)
      expected += integer(static_cast<std::int64_t>(i) + 1) + integer(ordinal++) + text(error.case_name) +
                  text(to_string(error.input_set)) + text(error.output) + real(error.median) +
                  real(error.p99) + real(error.worst) + "\n";
  }
  EXPECT_EQ(rows("SELECT * FROM error_quantiles ORDER BY evaluation, ordinal"), expected);
}

TEST_F(Views, RooflinesAndCountersAreThoseOfTheVerdict) {
  const auto verdicts = many_verdicts();
  record(verdicts);
  std::string rooflines, counters;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const auto evaluation = integer(static_cast<std::int64_t>(i) + 1);
    int ordinal = 0;
    for (const auto& r : verdicts[i].rooflines) {
      int number = 0;
      for (const auto& counter : r.counters)
        counters += evaluation + integer(ordinal) + integer(number++) + text(counter.name) +
                    real(counter.value) + text(to_string(counter.source)) + "\n";
      rooflines += evaluation + integer(ordinal++) + text(r.case_name) + real(r.bytes) + real(r.operations) +
                   text(to_string(r.bytes_source)) + text(to_string(r.operations_source)) + real(r.seconds) +
                   real(r.intensity) + real(r.roof_seconds) + real(r.bandwidth_share) +
                   real(r.compute_share) + real(r.efficiency) + real(r.headroom_seconds) +
                   text(to_string(r.bound)) + text(r.diagnosis) + "\n";
    }
  }
  EXPECT_EQ(rows("SELECT * FROM rooflines ORDER BY evaluation, ordinal"), rooflines);
  EXPECT_EQ(rows("SELECT * FROM counters ORDER BY evaluation, roofline, ordinal"), counters);
}

TEST_F(Views, FactsOfAnEvaluationAreWhatItsVerdictSays) {
  constexpr std::array statuses{Status::not_reached, Status::passed, Status::failed, Status::unavailable};
  std::vector<Verdict> verdicts;
  for (int mixed = 0; mixed < 4 * 4 * 4 * 4 * 4; ++mixed) {  // all statuses of four stages, and two flags
    Verdict verdict;
    verdict.task = "t";
    verdict.device = "cpu";
    for (std::size_t stage = 0; stage < 4; ++stage)
      verdict.stages[stage] = {statuses[static_cast<std::size_t>(mixed >> (2 * stage)) & 3u],
                               static_cast<Reason>(stage + 1), "", 0};
    verdict.cheated = (mixed >> 8 & 1) != 0;
    verdict.faithful_correct = (mixed >> 8 & 1) == 0;
    if ((mixed >> 9 & 1) != 0) verdict.timing.emplace().speedup = 1.5;
    verdicts.push_back(verdict);
  }
  record(verdicts);
  std::string expected;
  for (const auto& verdict : verdicts) {
    const auto stage = verdict.failed_at();
    const bool says_so = stage && verdict.at(*stage).status != Status::not_reached;
    expected +=
        text("cpu") + integer(verdict.compiled()) + integer(verdict.correct()) + integer(verdict.cheated) +
        integer(verdict.faithful_correct) +
        (verdict.correct() && verdict.timing ? real(verdict.speedup()) : null()) +
        (says_so ? text(to_string(*stage)) + text(to_string(verdict.at(*stage).reason)) : null() + null()) +
        integer(verdict.judged()) + "\n";
  }
  EXPECT_EQ(rows("SELECT device, compiled, correct, cheated, faithful_correct, speedup, failed_at, reason,"
                 " judged FROM evaluations ORDER BY id"),
            expected);
}

TEST_F(Views, WhatWasNotEvaluatedHasNoVerdictAndNoFigures) {
  const auto answer = samples::candidate(1);
  writer().record(samples::ask(id, 0, 0, &answer), answer, expect_committed());
  auto refused = samples::evaluation(id, 0, 0, {});
  refused.candidate = answer.hash;
  refused.status = EvaluationStatus::budget_exhausted;
  writer().record(refused, expect_committed());
  writer().flush();
  EXPECT_EQ(rows("SELECT verdict, samples, device, compiled, correct, cheated, faithful_correct, speedup,"
                 " failed_at, reason, judged FROM evaluations"),
            null() + null() + text("") + integer(0) + integer(0) + integer(0) + integer(0) + null() + null() +
                null() + integer(0) + "\n");
  EXPECT_EQ(rows("SELECT * FROM stage_results"), "");
}

}  // namespace
}  // namespace ridgeline::store
