// The prompt templates of a campaign: its own set, and those of strategies that have a folder of their own.
#pragma once

#include <map>
#include <string>

#include "engine/campaign/config.hpp"
#include "engine/core/hash.hpp"
#include "prompts/templates.hpp"

namespace ridgeline::campaign {

/// Immutable after construction.
class StrategyTemplates {
 public:
  /// Reads the campaign's folder and those of its strategies. A strategy's files come over the campaign's,
  /// which come over the built-in ones. Throws BadInput as prompts::Templates::with_overrides; of a strategy
  /// the message begins with its label.
  explicit StrategyTemplates(const CampaignConfig& config);

  /// The set of the strategy with this label; the campaign's if it has none of its own.
  const prompts::Templates& of(const std::string& label) const;
  /// The hash of the campaign's set.
  const Hash& hash() const { return campaign_.hash(); }
  /// The hashes of the sets that strategies have for themselves, by label.
  std::map<std::string, Hash> own_hashes() const;

 private:
  prompts::Templates campaign_;
  std::map<std::string, prompts::Templates> own_;  // by label
};

}  // namespace ridgeline::campaign
