#include "engine/suites/modules/check_posed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace ridgeline::suites::modules {
namespace {

constexpr std::int64_t kMostOffered = 1024;

std::string scale_text(std::int64_t divisor, const std::vector<oracle::ScaledNumber>& changed) {
  std::string numbers;
  for (const auto& one : changed)
    numbers += fmt::format("{}{} {} to {}", numbers.empty() ? "" : ", ", one.name, one.from, one.to);
  return fmt::format("1/{} ({})", divisor, numbers);
}

/// Returns the largest scale below that of `posing` at which the trials fit, as Module::scale has it; "" if
/// none does, or none was found in `left` seconds of requests. Looks at shapes alone.
std::string fitting_scale(oracle::OracleProcess& oracle, const oracle::TaskText& file, Posing posing,
                          double left) {
  for (posing.divisor *= 2; posing.divisor <= kMostOffered && left > 0; posing.divisor *= 2) {
    const auto smaller = pose(oracle, file, posing, left);
    left -= oracle.last_cost().seconds;
    const auto* posed = std::get_if<PosedFile>(&smaller);
    if (!posed || left <= 0) return "";
    const auto answer = oracle.describe(posed->file, left);
    left -= oracle.last_cost().seconds;
    const auto* description = std::get_if<oracle::Description>(&answer);
    if (!description) return "";
    if (trial_bytes(description->bytes) <= description->available) return posed->scale;
  }
  return "";
}

}  // namespace

oracle::OracleResult<PosedFile> pose(oracle::OracleProcess& oracle, oracle::TaskText file,
                                     const Posing& posing, double seconds) {
  file.cast_to = posing.cast_to;
  if (posing.divisor == 1) return PosedFile{std::move(file), ""};
  auto answer = oracle.scale(file, posing.divisor, seconds);
  if (auto* failure = std::get_if<oracle::OracleFailure>(&answer)) return std::move(*failure);
  auto& scaled = std::get<oracle::ScaledText>(answer);
  file.text = std::move(scaled.text);
  return PosedFile{std::move(file), scale_text(posing.divisor, scaled.changed)};
}

PosedReport check_posed(oracle::OracleProcess& oracle, const oracle::TaskText& file, const Posing& posing,
                        double seconds, bool only_describe) {
  auto answer = pose(oracle, file, posing, seconds);
  if (const auto* failure = std::get_if<oracle::OracleFailure>(&answer)) {
    auto assessment = assess(*failure);
    if (failure->kind == oracle::FailureKind::task)
      assessment = {
          Standing::unsupported, fmt::format("scale 1/{}: {}", posing.divisor, failure->message), {}};
    return {{file, ""}, {.assessment = std::move(assessment)}};
  }
  double left = seconds;
  if (posing.divisor > 1) left -= oracle.last_cost().seconds;  // else nothing was asked
  left = std::max(1.0, left);  // as check_text has it: nothing has shown that the check is slow
  PosedReport checked{std::get<PosedFile>(std::move(answer)), {}};
  const auto& posed = checked.posed.file;
  checked.report = only_describe ? describe_text(oracle, posed, left) : check_text(oracle, posed, left);
  auto& assessment = checked.report.assessment;
  if (assessment.standing != Standing::does_not_fit || !assessment.reason.starts_with("memory: "))
    return checked;
  if (const auto fits = fitting_scale(oracle, file, posing, left - checked.report.seconds); !fits.empty())
    assessment.reason += fmt::format("; at the scale {} it fits", fits);
  return checked;
}

}  // namespace ridgeline::suites::modules
