#include "engine/export/row.hpp"

#include <nlohmann/json.hpp>

#include "engine/store/model_name.hpp"

namespace ridgeline::exporting {

using nlohmann::json;

namespace {

/// The first line of a compiler's log that contains "error"; the log often begins with other lines.
std::string first_error(const std::string& log) {
  const auto at = log.find("error");
  if (at == std::string::npos) return "";
  const auto start = log.rfind('\n', at) == std::string::npos ? 0 : log.rfind('\n', at) + 1;
  return log.substr(start, log.find('\n', at) - start);
}

}  // namespace

std::string failure_text(const Verdict& verdict) {
  const auto stage = verdict.failed_at();
  if (verdict.correct() || !stage) return "";
  const auto& result = verdict.at(*stage);
  auto text = std::string(to_string(*stage)) + ": " + std::string(to_string(result.reason));
  if (!result.detail.empty()) text += ": " + result.detail;
  if (*stage == Stage::build && !verdict.build_log.empty()) text += ": " + first_error(verdict.build_log);
  for (const auto& mismatch : verdict.mismatches)
    text += "; " + std::to_string(mismatch.wrong) + " of " + std::to_string(mismatch.elements) +
            " elements of " + mismatch.output + " wrong (" + std::string(to_string(mismatch.pattern)) + ")";
  return text;
}

json as_completion(const std::string& text) {
  return json::array({{{"role", "assistant"}, {"content", text}}});
}

std::string as_answer(const Candidate& candidate) {
  return "```" + std::string(traits(candidate.language).fence) + "\n" + candidate.source +
         (candidate.source.ends_with('\n') ? "" : "\n") + "```\n";
}

json messages_of(const store::AskRecord& ask) {
  return json::parse(ask.prompt);
}

json origin(const ExportedTrajectory& trajectory, Split split) {
  const auto& t = trajectory.record;
  return {{"task", t.task_name},
          {"category", t.category},
          {"language", to_string(t.language)},
          {"campaign", trajectory.campaign.name},
          {"strategy", t.strategy},
          {"model", store::model_name(t)},
          {"split", std::string(to_string(split))}};
}

std::string joined(const std::vector<std::string>& flags) {
  std::string text;
  for (const auto& flag : flags) text += (text.empty() ? "" : "; ") + flag;
  return text;
}

std::string outcome(const Verdict& verdict) {
  if (verdict.correct()) return "correct";
  return std::string(to_string(verdict.failed_at().value_or(Stage::correctness)));
}

json facts(const Transition& transition) {
  const auto stage = [](const std::optional<Stage>& value) {
    return std::string(value ? to_string(*value) : "correct");
  };
  const auto ratio = transition.ratio.value_or(Ratio{});
  return {{"kind", to_string(transition.kind)},
          {"from_stage", stage(transition.from_stage)},
          {"to_stage", stage(transition.to_stage)},
          {"complete", transition.complete()},
          {"ratio", ratio.value},
          {"ratio_low", ratio.low},
          {"ratio_high", ratio.high},
          {"flags", joined(transition.flags)}};
}

json first_facts(const Verdict& verdict) {
  Transition none;
  none.flags = verdict.suspicions();
  auto columns = facts(none);
  columns["kind"] = "first";
  columns["from_stage"] = "";
  columns["to_stage"] = outcome(verdict);
  columns["complete"] = verdict.correct();
  return columns;
}

json address(const store::AskRecord& ask) {
  return {{"trajectory", ask.trajectory}, {"step", ask.step}, {"slot", ask.slot}, {"round", ask.round}};
}

}  // namespace ridgeline::exporting
