#include "engine/campaign/config.hpp"

#include <fmt/format.h>

#include "engine/core/error.hpp"

namespace ridgeline::campaign {

const llm::Model& CampaignConfig::model(const std::string& model_name) const {
  for (const auto& model : models)
    if (model.name == model_name) return model;
  throw BadInput(fmt::format("no model '{}' in the campaign '{}'", model_name, name));
}

const StrategyChoice& CampaignConfig::strategy(const std::string& label) const {
  for (const auto& choice : strategies)
    if (choice.label == label) return choice;
  throw BadInput(fmt::format("no strategy '{}' in the campaign '{}'", label, name));
}

const llm::Model& CampaignConfig::model_for_role(const StrategyChoice& choice,
                                                 const std::string& role) const {
  const std::string generator = "generator";
  for (const auto& wanted : {role.empty() ? generator : role, generator})
    for (const auto* named : {&choice.roles, &roles})
      if (const auto entry = named->find(wanted); entry != named->end()) return model(entry->second);
  throw BadInput(fmt::format("no model plays the generator in the campaign '{}'", name));
}

std::set<std::string> CampaignConfig::roles_asked_by(const StrategyChoice& choice) const {
  std::set<std::string> asked{"generator"};
  // A setting that holds a role's name is taken for that role, so that no strategy's settings are known here.
  for (const auto& [setting, value] : choice.settings)
    if (const auto* role = std::get_if<std::string>(&value);
        role && (choice.roles.contains(*role) || roles.contains(*role)))
      asked.insert(*role);
  return asked;
}

}  // namespace ridgeline::campaign
