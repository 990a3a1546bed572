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
          {"split", to_string(split)}};
}

json facts(const Transition& transition) {
  const auto stage = [](const std::optional<Stage>& value) {
    return value ? json(to_string(*value)) : json(nullptr);
  };
  const auto& ratio = transition.ratio;
  return {{"kind", to_string(transition.kind)},
          {"from_stage", stage(transition.from_stage)},
          {"to_stage", stage(transition.to_stage)},
          {"complete", transition.complete()},
          {"ratio", ratio ? json(ratio->value) : json(nullptr)},
          {"ratio_low", ratio ? json(ratio->low) : json(nullptr)},
          {"ratio_high", ratio ? json(ratio->high) : json(nullptr)},
          {"flags", transition.flags}};
}

json address(const store::AskRecord& ask) {
  return {{"trajectory", ask.trajectory}, {"step", ask.step}, {"slot", ask.slot}, {"round", ask.round}};
}

}  // namespace ridgeline::exporting
