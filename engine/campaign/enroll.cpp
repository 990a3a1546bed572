#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/campaign/campaign.hpp"
#include "engine/core/codec.hpp"
#include "engine/core/version.hpp"

namespace ridgeline::campaign {
namespace {

std::string strategy_json(const StrategyChoice& choice) {
  nlohmann::json settings = nlohmann::json::object();
  for (const auto& [name, value] : choice.settings)
    std::visit([&](const auto& plain) { settings[name] = plain; }, value);
  return nlohmann::json{{"strategy", choice.strategy}, {"settings", settings}}.dump();
}

store::TrajectoryRecord record_of(const PlannedTrajectory& planned, const Plan& plan,
                                  const CampaignConfig& config) {
  const auto& task = plan.tasks[planned.task];
  store::TrajectoryRecord record;
  record.task_hash = task.hash;
  record.task_name = task.name;
  record.category = task.category;
  record.strategy = config.strategies[planned.strategy].label;
  record.strategy_json = strategy_json(config.strategies[planned.strategy]);
  record.language = config.language;
  record.model = config.model_for_role("generator").name;
  record.seed = planned.seed;
  return record;
}

auto identity(const store::TrajectoryRecord& record) {
  return std::tuple(record.task_hash, record.strategy, record.strategy_json, record.model, record.seed);
}

}  // namespace

Enrolled enroll(const Plan& plan, const CampaignConfig& config, const prompts::Templates& templates,
                const store::Reader& reader, store::Writer& writer, store::Milliseconds now) {
  Enrolled enrolled;
  std::vector<store::TaskRecord> tasks;
  for (const auto& task : plan.tasks)
    tasks.push_back({task.hash, task.name, task.category, nlohmann::json(task).dump()});
  for (const auto& planned : plan.trajectories) {
    enrolled.trajectories.push_back(record_of(planned, plan, config));
    enrolled.tasks.push_back(planned.task);
  }
  enrolled.known.assign(plan.trajectories.size(), false);

  if (auto known = reader.campaign(config.name)) {
    enrolled.campaign = *known;
    std::map<decltype(identity({})), store::TrajectoryRecord> there;
    for (auto& record : reader.trajectories(known->id)) there.emplace(identity(record), record);
    std::vector<store::TrajectoryRecord> missing;
    std::vector<std::size_t> places;  // of the missing ones in the plan
    for (std::size_t i = 0; i < enrolled.trajectories.size(); ++i) {
      auto& record = enrolled.trajectories[i];
      const auto found = there.find(identity(record));
      if (found != there.end()) {
        record = found->second;
        enrolled.known[i] = true;
      } else {
        missing.push_back(record);
        places.push_back(i);
      }
    }
    if (!missing.empty()) writer.add(known->id, tasks, missing);
    for (std::size_t i = 0; i < missing.size(); ++i) enrolled.trajectories[places[i]] = missing[i];
    return enrolled;
  }
  enrolled.campaign.name = config.name;
  enrolled.campaign.config_text = config.text;
  enrolled.campaign.config_hash = sha256(config.text);
  std::string plan_text;
  for (const auto& record : enrolled.trajectories)
    plan_text += record.task_hash + record.strategy_json + record.model + std::to_string(record.seed) + "\n";
  enrolled.campaign.plan_hash = sha256(plan_text);
  enrolled.campaign.prompts_hash = templates.hash();
  enrolled.campaign.engine_version = std::string(version);
  enrolled.campaign.created_at = now;
  writer.create(enrolled.campaign, tasks, enrolled.trajectories);
  return enrolled;
}

}  // namespace ridgeline::campaign
