#include "engine/campaign/strategy_templates.hpp"

#include <fmt/format.h>

#include "engine/core/error.hpp"

namespace ridgeline::campaign {

StrategyTemplates::StrategyTemplates(const CampaignConfig& config)
    : campaign_(prompts::Templates::built_in()) {
  if (!config.prompts.empty()) campaign_ = campaign_.overridden_by(config.prompts);
  for (const auto& choice : config.strategies) {
    if (choice.prompts.empty()) continue;
    try {
      own_.emplace(choice.label, campaign_.overridden_by(choice.prompts));
    } catch (const BadInput& error) {
      throw BadInput(fmt::format("prompts of the strategy '{}': {}", choice.label, error.what()));
    }
  }
}

const prompts::Templates& StrategyTemplates::of(const std::string& label) const {
  const auto own = own_.find(label);
  return own == own_.end() ? campaign_ : own->second;
}

std::map<std::string, Hash> StrategyTemplates::own_hashes() const {
  std::map<std::string, Hash> hashes;
  for (const auto& [label, templates] : own_) hashes.emplace(label, templates.hash());
  return hashes;
}

}  // namespace ridgeline::campaign
