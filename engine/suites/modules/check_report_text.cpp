#include "engine/suites/modules/check_report_text.hpp"

#include <fmt/format.h>

namespace ridgeline::suites::modules {

using nlohmann::json;

json report_document(json document, const CheckReport& report) {
  const auto& assessment = report.assessment;
  document.update({{"standing", to_string(assessment.standing)},
                   {"reason", assessment.reason},
                   {"notes", assessment.notes},
                   {"seconds", report.seconds},
                   {"peak_bytes", report.peak_bytes}});
  if (!report.description) return document;
  const auto& bytes = report.description->bytes;
  document["bytes"] = {{"state", bytes.state},
                       {"inputs", bytes.inputs},
                       {"outputs", bytes.outputs},
                       {"forward", bytes.forward}};
  return document;
}

std::string report_text(const std::string& name, const CheckReport& report) {
  const auto& assessment = report.assessment;
  const auto peak = report.peak_bytes == 0 ? "" : byte_text(report.peak_bytes);
  // Columns of a fixed width: lines are printed while the check goes on, before the longest name is known.
  auto text = fmt::format("{:<12} {:<52} {:>7.1f} s {:>10}{}{}\n", to_string(assessment.standing), name,
                          report.seconds, peak, assessment.reason.empty() ? "" : "  ", assessment.reason);
  for (const auto& note : assessment.notes) text += fmt::format("{:13}note: {}\n", "", note);
  return text;
}

CheckSummary summary_of(const std::map<Standing, int>& counts) {
  CheckSummary summary;
  auto& counted = summary.members["counts"] = json::object();
  for (const auto& [standing, count] : counts) {
    counted[std::string(to_string(standing))] = count;
    summary.text += fmt::format("{}{} {}", summary.text.empty() ? "" : ", ", count, to_string(standing));
  }
  // A task that is wrong stays wrong on a larger machine, so it decides the status first.
  if (counts.contains(Standing::broken) || counts.contains(Standing::degenerate))
    summary.status = 1;
  else if (counts.contains(Standing::does_not_fit))
    summary.status = 3;
  return summary;
}

}  // namespace ridgeline::suites::modules
