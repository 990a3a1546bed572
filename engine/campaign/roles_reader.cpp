#include "engine/campaign/roles_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/yaml/nearest.hpp"

namespace ridgeline::campaign {
namespace {

/// Returns the place of a strategy's setting; that of the whole entry if the preset's file sets it.
yaml::Node setting_node(const yaml::Node& entry, const std::string& setting) {
  if (const auto settings = entry.map().find("settings"))
    if (const auto node = settings->map().find(setting)) return *node;
  return entry;
}

/// Lists the roles that strategies name as their critics. Each must be among `named`.
std::vector<std::string> roles_of_strategies(const yaml::Node& strategies,
                                             const std::vector<StrategyChoice>& choices,
                                             const std::vector<std::string>& named) {
  std::vector<std::string> roles;
  const auto entries = strategies.list();
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto setting = choices[i].settings.find("critic");
    if (setting == choices[i].settings.end()) continue;
    const auto& role = std::get<std::string>(setting->second);
    if (role.empty()) continue;
    if (std::find(named.begin(), named.end(), role) == named.end())
      setting_node(entries[i], "critic")
          .fail(fmt::format(
              "the strategy '{}' names the role '{}' as its critic, and no such role is under roles{}",
              choices[i].label, role, yaml::did_you_mean(role, named)));
    roles.push_back(role);
  }
  return roles;
}

}  // namespace

std::map<std::string, std::string> read_roles(yaml::MapReader& campaign,
                                              const std::vector<StrategyChoice>& choices,
                                              const std::vector<llm::Model>& models) {
  const auto strategies = campaign.demand("strategies");
  auto map = campaign.optional_map("roles");
  if (!map) {
    if (models.size() > 1) campaign.fail("several models and no roles: say which is the generator");
    // Without the key the generator also plays the critic, so strategies may name both.
    roles_of_strategies(strategies, choices, {"generator", "critic"});
    return {{"generator", models.front().name}};
  }
  const auto named = map->keys();
  std::vector<std::string> known;
  for (const auto& model : models) known.push_back(model.name);
  std::map<std::string, std::string> roles;
  const auto read = [&](const std::string& role, const yaml::Node& node) {
    roles[role] = node.as<std::string>();
    if (std::find(known.begin(), known.end(), roles[role]) == known.end())
      node.fail(
          fmt::format("no model '{}' under models{}", roles[role], yaml::did_you_mean(roles[role], known)));
  };
  // Only roles that somebody plays are read: finish() then refuses a misspelt one as an unknown key.
  for (const auto& role : roles_of_strategies(strategies, choices, named))
    if (const auto node = map->find(role)) read(role, *node);
  if (const auto node = map->find("critic")) read("critic", *node);
  read("generator", map->demand("generator"));
  map->finish();
  return roles;
}

}  // namespace ridgeline::campaign
