#include "engine/campaign/enroll.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

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

auto identity(const store::TrajectoryRecord& record) {
  return std::tuple(record.task_hash, record.strategy, record.strategy_json, record.model, record.seed);
}

}  // namespace

std::optional<store::CampaignRecord> newest_branch(const store::Reader& reader, const std::string& name) {
  auto found = reader.campaign(name);
  while (found) {
    auto branch = reader.newest_branch(found->id);
    if (!branch) break;
    found = std::move(branch);
  }
  return found;
}

store::CampaignRecord campaign_record(const Plan& plan, const CampaignConfig& config,
                                      const prompts::Templates& templates, store::Milliseconds now) {
  store::CampaignRecord campaign;
  campaign.name = config.name;
  campaign.config_text = config.text;
  campaign.config_hash = sha256(config.text);
  std::string plan_text;
  for (const auto& record : trajectory_records(plan, config))
    plan_text += record.task_hash + record.strategy_json + record.model + std::to_string(record.seed) + "\n";
  campaign.plan_hash = sha256(plan_text);
  campaign.prompts_hash = templates.hash();
  campaign.engine_version = std::string(version);
  campaign.created_at = now;
  return campaign;
}

std::vector<store::TaskRecord> task_records(const Plan& plan) {
  std::vector<store::TaskRecord> tasks;
  for (const auto& task : plan.tasks)
    tasks.push_back({task.hash, task.name, task.category, nlohmann::json(task).dump()});
  return tasks;
}

std::vector<store::TrajectoryRecord> trajectory_records(const Plan& plan, const CampaignConfig& config) {
  std::vector<store::TrajectoryRecord> records;
  for (const auto& planned : plan.trajectories) {
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
    records.push_back(std::move(record));
  }
  return records;
}

bool is_same(const store::TrajectoryRecord& one, const store::TrajectoryRecord& other) {
  return identity(one) == identity(other);
}

Enrolled enroll(const Plan& plan, const CampaignConfig& config, const prompts::Templates& templates,
                const store::Reader& reader, store::Writer& writer, store::Milliseconds now) {
  Enrolled enrolled;
  enrolled.trajectories = trajectory_records(plan, config);
  enrolled.known.assign(plan.trajectories.size(), false);
  for (const auto& planned : plan.trajectories) enrolled.tasks.push_back(planned.task);

  const auto known = newest_branch(reader, config.name);
  if (!known) {
    enrolled.campaign = campaign_record(plan, config, templates, now);
    writer.create(enrolled.campaign, task_records(plan), enrolled.trajectories);
    return enrolled;
  }
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
  if (!missing.empty()) writer.add(known->id, task_records(plan), missing);
  for (std::size_t i = 0; i < missing.size(); ++i) enrolled.trajectories[places[i]] = missing[i];
  return enrolled;
}

}  // namespace ridgeline::campaign
