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

/// Lists the differences between two records of one place; empty if they are the same.
std::vector<Difference> differences_of(const store::TrajectoryRecord& before,
                                       const store::TrajectoryRecord& now) {
  if (is_same(before, now)) return {};
  if (!before.identity.empty()) return differences(before.identity, now.identity);
  std::vector<Difference> found;
  const auto compare = [&](const char* what, const std::string& was, const std::string& is) {
    if (was != is) found.push_back({what, was, is});
  };
  compare("task", before.task_hash, now.task_hash);
  compare("strategy", before.strategy_json, now.strategy_json);
  compare("model", before.model, now.model);
  return found;
}

/// A value may be a whole settings map: people need its beginning.
std::string in_short(const std::string& value) {
  constexpr std::size_t kLongest = 120;
  return value.size() <= kLongest ? value : value.substr(0, kLongest) + "…";
}

[[noreturn]] void refuse(const CampaignConfig& config, const std::string& campaign,
                         const std::map<Difference, int>& found, int trajectories) {
  constexpr int kLines = 12;
  std::string lines;
  int shown = 0;
  for (const auto& [difference, count] : found) {
    if (++shown > kLines) break;
    lines += fmt::format("  {}: {} → {} ({} trajectories)\n", difference.path, in_short(difference.before),
                         in_short(difference.now), count);
  }
  if (static_cast<int>(found.size()) > kLines) lines += fmt::format("  and {} more\n", found.size() - kLines);
  throw BadInput(fmt::format(
      "the campaign '{}' in {} was begun under other settings; {} of its trajectories cannot go on under "
      "these:\n"
      "{}Restore them to go on, add --fork to start a branch that keeps the steps that still match, or "
      "--set name=OTHER to start anew",
      campaign, config.store, trajectories, lines));
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
    record.strategy = config.strategies[planned.strategy].label;
    record.strategy_json = strategy_json(config.strategies[planned.strategy]);
    record.language = config.language;
    record.model = config.model_for_role("generator").name;
    record.seed = planned.seed;
    record.identity = identity_of(planned, plan, config, conditions);
    records.push_back(std::move(record));
  }
  return records;
}

bool at_same_place(const store::TrajectoryRecord& one, const store::TrajectoryRecord& other) {
  return place_of(one) == place_of(other);
}

bool is_same(const store::TrajectoryRecord& one, const store::TrajectoryRecord& other) {
  if (!one.identity.empty() && !other.identity.empty()) return one.identity == other.identity;
  return at_same_place(one, other) && one.task_hash == other.task_hash &&
         one.strategy_json == other.strategy_json && one.model == other.model;
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
  // Stores before version 9 may hold several at one place, with different settings: the newest stands for it.
  std::map<decltype(place_of({})), store::TrajectoryRecord> there;
  for (auto& record : reader.trajectories(known->id)) there[place_of(record)] = record;
  std::vector<store::TrajectoryRecord> missing;
  // Nothing of these is recorded (a model's id was wrong, say): they take the new settings, and mix nothing.
  std::vector<store::TrajectoryRecord> adopting;
  std::vector<std::size_t> places;  // of the missing ones in the plan
  std::map<Difference, int> changed;
  int refused = 0;
  for (std::size_t i = 0; i < enrolled.trajectories.size(); ++i) {
    auto& record = enrolled.trajectories[i];
    const auto found = there.find(place_of(record));
    if (found == there.end()) {
      missing.push_back(record);
      places.push_back(i);
      continue;
    }
    const auto differ = differences_of(found->second, record);
    if (!differ.empty() && !reader.has_steps(found->second.id)) {
      record.id = found->second.id;
      record.campaign = found->second.campaign;
      adopting.push_back(record);
      enrolled.known[i] = true;
      continue;
    }
    refused += differ.empty() ? 0 : 1;
    for (const auto& difference : differ) ++changed[difference];
    record = found->second;
    enrolled.known[i] = true;
  }
  if (!changed.empty()) refuse(config, known->name, changed, refused);
  if (!adopting.empty()) writer.change(task_records(plan), adopting);
  if (!missing.empty()) writer.add(known->id, task_records(plan), missing);
  for (std::size_t i = 0; i < missing.size(); ++i) enrolled.trajectories[places[i]] = missing[i];
  return enrolled;
}

}  // namespace ridgeline::campaign
