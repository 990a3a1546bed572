#include "engine/campaign/roles_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/yaml/nearest.hpp"

namespace ridgeline::campaign {
namespace {

/// Returns the place of a strategy's setting; that of the whole entry if the preset's file sets it.
yaml::Node setting_node(const yaml::Node& entry, const std::string& setting) {
  if (const auto settings = entry.map().find("settings"))
    if (const auto node = settings->map().find(setting)) return *node;
  return entry;
}

/// Returns the role that a strategy names as its critic; "" if none.
std::string critic_of(const StrategyChoice& choice) {
  const auto setting = choice.settings.find("critic");
  return setting == choice.settings.end() ? "" : std::get<std::string>(setting->second);
}

class RolesReader {
 public:
  RolesReader(yaml::MapReader& campaign, CampaignConfig& config)
      : campaign_(campaign), config_(config), entries_(campaign.demand("strategies").list()) {
    for (const auto& model : config.models) models_.push_back(model.name);
  }

  void read() {
    for (std::size_t i = 0; i < entries_.size(); ++i) read_own(i);
    auto map = campaign_.optional_map("roles");
    // Without the key the generator also plays the critic, so strategies may name both.
    const std::vector<std::string> named =
        map ? map->keys() : std::vector<std::string>{"generator", "critic"};
    for (std::size_t i = 0; i < entries_.size(); ++i) check_critic(i, named);
    if (map)
      read_common(*map);
    else
      config_.roles = {{"generator", only_model()}};
  }

 private:
  std::string model_named_by(const yaml::Node& node) const {
    const auto name = node.as<std::string>();
    if (std::find(models_.begin(), models_.end(), name) == models_.end())
      node.fail(fmt::format("no model '{}' under models{}", name, yaml::did_you_mean(name, models_)));
    return name;
  }

  /// Reads only roles that the strategy asks: finish() then refuses a misspelt one as an unknown key.
  void read_own(std::size_t i) {
    auto& choice = config_.strategies[i];
    auto entry = entries_[i].map();
    auto map = entry.optional_map("roles");
    if (!map) return;
    for (const auto& role : {std::string("generator"), critic_of(choice)})
      if (const auto node = role.empty() ? std::nullopt : map->find(role))
        choice.roles[role] = model_named_by(*node);
    map->finish();
  }

  void check_critic(std::size_t i, const std::vector<std::string>& named) const {
    const auto& choice = config_.strategies[i];
    const auto role = critic_of(choice);
    if (role.empty() || choice.roles.contains(role) ||
        std::find(named.begin(), named.end(), role) != named.end())
      return;
    setting_node(entries_[i], "critic")
        .fail(fmt::format(
            "the strategy '{}' names the role '{}' as its critic, and no such role is under roles{}",
            choice.label, role, yaml::did_you_mean(role, named)));
  }

  /// Reads only roles that somebody plays, as read_own does.
  void read_common(yaml::MapReader& map) {
    std::set<std::string> roles{"critic"};
    for (const auto& choice : config_.strategies) roles.insert(critic_of(choice));
    for (const auto& role : roles)
      if (const auto node = role.empty() ? std::nullopt : map.find(role))
        config_.roles[role] = model_named_by(*node);
    config_.roles["generator"] = model_named_by(map.demand("generator"));
    map.finish();
  }

  std::string only_model() {
    const bool all_name_theirs = std::ranges::all_of(
        config_.strategies, [](const auto& choice) { return choice.roles.contains("generator"); });
    if (config_.models.size() > 1 && !all_name_theirs)
      campaign_.fail("several models and no roles: say which is the generator, here or of each strategy");
    return config_.models.front().name;
  }

  yaml::MapReader& campaign_;
  CampaignConfig& config_;
  std::vector<yaml::Node> entries_;
  std::vector<std::string> models_;
};

}  // namespace

void read_roles(yaml::MapReader& campaign, CampaignConfig& config) {
  RolesReader(campaign, config).read();
}

}  // namespace ridgeline::campaign
