#include "engine/campaign/enroll.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/core/version.hpp"

namespace ridgeline::campaign {
namespace {

std::string strategy_json(const StrategyChoice& choice) {
  nlohmann::json settings = nlohmann::json::object();
  for (const auto& [name, value] : choice.settings)
    std::visit([&](const auto& plain) { settings[name] = plain; }, value);
  return nlohmann::json{{"strategy", choice.strategy}, {"settings", settings}}.dump();
}

auto place_of(const store::TrajectoryRecord& record) {
  return std::tuple(record.task_name, record.strategy, record.seed);
}

/// Lists the settings in which two records of one place differ; empty if they have the same identity.
std::vector<Difference> differences_of(const store::TrajectoryRecord& before,
                                       const store::TrajectoryRecord& now) {
  if (has_same_identity(before, now)) return {};
  if (!before.identity.empty()) return differences(before.identity, now.identity);
  std::vector<Difference> differing;
  const auto compare = [&](const char* setting, const std::string& was, const std::string& is) {
    if (was != is) differing.push_back({setting, was, is});
  };
  compare("task", before.task_hash, now.task_hash);
  compare("strategy", before.strategy_json, now.strategy_json);
  compare("model", before.model, now.model);
  return differing;
}

/// Cuts a value that may be a whole settings map: people need its beginning only.
std::string shortened_value(const std::string& value) {
  constexpr std::size_t kLongest = 120;
  return value.size() <= kLongest ? value : value.substr(0, kLongest) + "…";
}

[[noreturn]] void refuse(const CampaignConfig& config, const std::string& campaign,
                         const std::map<Difference, int>& trajectories_by_difference, int trajectories) {
  constexpr int kLines = 12;  // a changed preset may differ in every key
  std::string lines;
  int shown = 0;
  for (const auto& [difference, count] : trajectories_by_difference) {
    if (++shown > kLines) break;
    lines += fmt::format("  {}: {} → {} ({} trajectories)\n", difference.path,
                         shortened_value(difference.before), shortened_value(difference.now), count);
  }
  if (const auto all = static_cast<int>(trajectories_by_difference.size()); all > kLines)
    lines += fmt::format("  and {} more\n", all - kLines);
  throw BadInput(fmt::format(
      "the campaign '{}' in {} was begun under other settings; {} of its trajectories cannot go on under "
      "these:\n"
      "{}Restore them to go on, add --fork to start a branch that keeps the steps that still match, or "
      "--set name=OTHER to start anew",
      campaign, config.store, trajectories, lines));
}

}  // namespace

std::optional<store::CampaignRecord> newest_branch(const store::Reader& reader, const std::string& name) {
  auto campaign = reader.campaign(name);
  // A branch may have a branch of its own: the end of the chain is the newest.
  while (campaign) {
    auto branch = reader.newest_branch(campaign->id);
    if (!branch) break;
    campaign = std::move(branch);
  }
  return campaign;
}

store::CampaignRecord campaign_record(const Plan& plan, const CampaignConfig& config,
                                      const Conditions& conditions, store::Milliseconds now) {
  store::CampaignRecord campaign;
  campaign.name = config.name;
  campaign.config_text = config.text;
  campaign.config_hash = sha256(config.text);
  std::string plan_text;
  for (const auto& record : trajectory_records(plan, config, conditions)) plan_text += record.identity + "\n";
  campaign.plan_hash = sha256(plan_text);
  campaign.prompts_hash = conditions.prompts;
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

std::vector<store::TrajectoryRecord> trajectory_records(const Plan& plan, const CampaignConfig& config,
                                                        const Conditions& conditions) {
  std::vector<store::TrajectoryRecord> records;
  for (const auto& planned : plan.trajectories) {
    const auto& task = plan.tasks[planned.task];
    store::TrajectoryRecord record;
    record.task_hash = task.hash;
    record.task_name = task.name;
    record.category = task.category;
    const auto& choice = config.strategies[planned.strategy];
    record.strategy = choice.label;
    record.strategy_json = strategy_json(choice);
    record.language = config.language;
    record.model = config.model_for_role(choice, "generator").name;
    record.seed = planned.seed;
    record.identity = identity_of(planned, plan, config, conditions);
    records.push_back(std::move(record));
  }
  return records;
}

bool at_same_place(const store::TrajectoryRecord& left, const store::TrajectoryRecord& right) {
  return place_of(left) == place_of(right);
}

bool has_same_identity(const store::TrajectoryRecord& left, const store::TrajectoryRecord& right) {
  if (!left.identity.empty() && !right.identity.empty()) return left.identity == right.identity;
  return at_same_place(left, right) && left.task_hash == right.task_hash &&
         left.strategy_json == right.strategy_json && left.model == right.model;
}

Enrolled enroll(const Plan& plan, const CampaignConfig& config, const Conditions& conditions,
                const store::Reader& reader, store::Writer& writer, store::Milliseconds now) {
  Enrolled enrolled;
  enrolled.trajectories = trajectory_records(plan, config, conditions);
  enrolled.known.assign(plan.trajectories.size(), false);
  for (const auto& planned : plan.trajectories) enrolled.tasks.push_back(planned.task);

  const auto known = newest_branch(reader, config.name);
  if (!known) {
    enrolled.campaign = campaign_record(plan, config, conditions, now);
    writer.create(enrolled.campaign, task_records(plan), enrolled.trajectories);
    return enrolled;
  }
  enrolled.campaign = *known;
  // Stores before version 9 may hold several records at one place, with different settings. The newest, which
  // comes last, stands for the place.
  std::map<decltype(place_of({})), store::TrajectoryRecord> stored;
  for (auto& record : reader.trajectories(known->id)) stored[place_of(record)] = record;
  std::vector<store::TrajectoryRecord> missing;
  // These have no recorded step (a model's id was wrong, say): they take the new settings, and mix nothing.
  std::vector<store::TrajectoryRecord> adopting;
  std::vector<std::size_t> missing_index;  // of each missing record in the plan
  std::map<Difference, int> changed;       // trajectories by setting that differs
  int refused = 0;
  for (std::size_t i = 0; i < enrolled.trajectories.size(); ++i) {
    auto& record = enrolled.trajectories[i];
    const auto match = stored.find(place_of(record));
    if (match == stored.end()) {
      missing.push_back(record);
      missing_index.push_back(i);
      continue;
    }
    const auto differ = differences_of(match->second, record);
    if (!differ.empty() && !reader.has_steps(match->second.id)) {
      record.id = match->second.id;
      record.campaign = match->second.campaign;
      adopting.push_back(record);
      enrolled.known[i] = true;
      continue;
    }
    refused += differ.empty() ? 0 : 1;
    for (const auto& difference : differ) ++changed[difference];
    record = match->second;
    enrolled.known[i] = true;
  }
  // Refused before anything is written: a half-adopted campaign could go on under neither setting.
  if (!changed.empty()) refuse(config, known->name, changed, refused);
  if (!adopting.empty()) writer.change(task_records(plan), adopting);
  if (!missing.empty()) writer.add(known->id, task_records(plan), missing);
  for (std::size_t i = 0; i < missing.size(); ++i) enrolled.trajectories[missing_index[i]] = missing[i];
  return enrolled;
}

}  // namespace ridgeline::campaign
