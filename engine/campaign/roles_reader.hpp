// The part of a campaign file that says which model plays which role.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/campaign/config.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::campaign {

/// `roles` of the campaign, read after its strategies and models: role to model. Throws BadInput with the
/// place for a role that no strategy names as its critic and that is neither generator nor critic, for a
/// strategy's critic that is no role, and for a model that there is not.
std::map<std::string, std::string> read_roles(yaml::MapReader& campaign,
                                              const std::vector<StrategyChoice>& choices,
                                              const std::vector<llm::Model>& models);

}  // namespace ridgeline::campaign
