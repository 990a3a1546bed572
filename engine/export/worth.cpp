#include "engine/export/worth.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

/// Whether the prompt said how far the candidate that it asked to change is from its roof.
bool showed_roofline(const store::AskRecord& ask) {
  for (const auto& item : json::parse(ask.feedback))
    if (item.value("kind", "") == "roofline" && item.value("about", "") == ask.change) return true;
  return false;
}

/// The slowest case with a diagnosis; null if there is none.
const Roofline* slowest_diagnosed(const Verdict& verdict) {
  const Roofline* slowest = nullptr;
  for (const auto& roofline : verdict.rooflines)
    if (!roofline.diagnosis.empty() && (slowest == nullptr || roofline.seconds > slowest->seconds))
      slowest = &roofline;
  return slowest;
}

double efficiency_of(const Verdict& verdict, const std::string& case_name) {
  const auto at = std::ranges::find(verdict.rooflines, case_name, &Roofline::case_name);
  return at == verdict.rooflines.end() ? 0 : at->efficiency;
}

json cost_of(const ExportedTrajectory& trajectory, const store::AskRecord& ask) {
  int calls = 0;
  double usd = 0;
  for (const auto& attempt : trajectory.attempts) {
    if (attempt.ask.step > ask.step || attempt.ask.status == AnswerStatus::budget_exhausted) continue;
    ++calls;
    usd += attempt.ask.usd;
  }
  return {{"calls", calls},
          {"input_tokens", ask.tokens.input},
          {"output_tokens", ask.tokens.output},
          {"usd", ask.usd},
          {"usd_so_far", usd}};
}

}  // namespace

json worth_of(const TaskTrajectories& task, const ExportedTrajectory& trajectory,
              const store::AttemptRecord& attempt, const Edge* edge) {
  auto worth = cost_of(trajectory, attempt.ask);
  worth.update({{"diagnosis", ""},
                {"bound", ""},
                {"borne_out", ""},
                {"efficiency_before", 0.0},
                {"efficiency_after", 0.0}});
  if (edge == nullptr || !showed_roofline(attempt.ask)) return worth;
  const auto before = task.visible_verdict(*edge->before), after = task.visible_verdict(attempt);
  const auto* told = slowest_diagnosed(before);
  if (told == nullptr) return worth;
  worth["diagnosis"] = told->diagnosis;
  worth["bound"] = to_string(told->bound);
  worth["efficiency_before"] = told->efficiency;
  worth["efficiency_after"] = efficiency_of(after, told->case_name);
  if (edge->transition.ratio) worth["borne_out"] = edge->transition.ratio->low > 1 ? "yes" : "no";
  return worth;
}

json schema_of_worth() {
  return {{"diagnosis", "string"},
          {"bound", "string"},
          {"borne_out", "string"},
          {"efficiency_before", "float64"},
          {"efficiency_after", "float64"},
          {"calls", "int64"},
          {"input_tokens", "int64"},
          {"output_tokens", "int64"},
          {"usd", "float64"},
          {"usd_so_far", "float64"}};
}

}  // namespace ridgeline::exporting
