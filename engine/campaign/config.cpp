#include "engine/campaign/config.hpp"

#include <fmt/format.h>

#include "engine/core/error.hpp"

namespace ridgeline::campaign {

const llm::Model& CampaignConfig::model(const std::string& model_name) const {
  for (const auto& model : models)
    if (model.name == model_name) return model;
  throw BadInput(fmt::format("no model '{}' in the campaign '{}'", model_name, name));
}

const llm::Model& CampaignConfig::model_for_role(const std::string& role) const {
  const auto entry = roles.find(role.empty() ? "generator" : role);
  return model(entry != roles.end() ? entry->second : roles.at("generator"));
}

std::set<std::string> CampaignConfig::roles_asked_by(const StrategyChoice& choice) const {
  std::set<std::string> asked{"generator"};
  // A setting that holds a role's name is taken for that role, so that no strategy's settings are known here.
  for (const auto& [setting, value] : choice.settings)
    if (const auto* role = std::get_if<std::string>(&value); role && roles.contains(*role))
      asked.insert(*role);
  return asked;
}

}  // namespace ridgeline::campaign
