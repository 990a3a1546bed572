#include "engine/export/row.hpp"

#include <nlohmann/json.hpp>

#include "engine/store/model_name.hpp"

namespace ridgeline::exporting {

using nlohmann::json;

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
