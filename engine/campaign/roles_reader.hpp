// Reads the part of a campaign file that says which model plays which role (generator, critic).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/campaign/config.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::campaign {

/// Reads `roles`, after strategies and models, and returns the model's name by role. Without the key the only
/// model plays the generator. Throws BadInput with the place for a role that nobody plays (neither
/// "generator", "critic" nor a strategy's critic), for a strategy's critic that is no role, and for an
/// unknown model.
std::map<std::string, std::string> read_roles(yaml::MapReader& campaign,
                                              const std::vector<StrategyChoice>& choices,
                                              const std::vector<llm::Model>& models);

}  // namespace ridgeline::campaign
