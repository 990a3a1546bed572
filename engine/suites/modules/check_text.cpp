#include "engine/suites/modules/check_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::suites::modules {

namespace {

/// The file's description, or the failure in its place.
CheckReport described(oracle::OracleProcess& oracle, const oracle::TaskText& text, double seconds) {
  CheckReport report;
  auto answer = oracle.describe(text, seconds);
  report.seconds = oracle.last_cost().seconds;
  if (const auto* failure = std::get_if<oracle::OracleFailure>(&answer))
    report.assessment = assess(*failure);
  else
    report.description = std::move(std::get<oracle::Description>(answer));
  return report;
}

}  // namespace

CheckReport describe_text(oracle::OracleProcess& oracle, const oracle::TaskText& text, double seconds) {
  auto report = described(oracle, text, seconds);
  if (report.description) report.assessment.standing = Standing::unchecked;
  return report;
}

CheckReport check_text(oracle::OracleProcess& oracle, const oracle::TaskText& text, double seconds,
                       Evaluator evaluator) {
  auto report = described(oracle, text, seconds);
  if (!report.description) return report;
  // A task that does not fit would end the oracle's process, or the machine's other work.
  const auto available = report.description->available;
  const auto needed = trial_bytes(report.description->bytes);
  if (needed > available) {
    report.assessment = assess(oracle::OracleFailure{
        oracle::FailureKind::memory,
        fmt::format("needs {}, and {} are free", byte_text(needed), byte_text(available))});
    return report;
  }
  const auto needed_float64 = float64_bytes(report.description->bytes);
  const bool with_float64 = needed_float64 <= available;
  // At least a second: a limit of nothing would report slowness that no trial has shown.
  const auto facts = oracle.check(text, with_float64, std::max(1.0, seconds - report.seconds));
  report.seconds += oracle.last_cost().seconds;
  report.peak_bytes = oracle.last_cost().peak_bytes;
  if (const auto* failure = std::get_if<oracle::OracleFailure>(&facts)) {
    report.assessment = assess(*failure);
    return report;
  }
  report.assessment = assess(std::get<oracle::CheckFacts>(facts), evaluator);
  if (!with_float64)
    report.assessment.notes.push_back(fmt::format("float64 was not run: it needs {}, and {} are free",
                                                  byte_text(needed_float64), byte_text(available)));
  return report;
}

}  // namespace ridgeline::suites::modules
