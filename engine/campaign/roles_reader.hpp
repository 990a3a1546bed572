// Reads the parts of a campaign file that say which model plays which role (generator, critic): its own
// `roles`, and those of its strategies.
#pragma once

#include "engine/campaign/config.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::campaign {

/// Reads `roles` of the campaign and of each strategy into `config`, which has its strategies and models. A
/// campaign without the key has its first model as generator; with several models, every strategy must then
/// name its own. Throws BadInput with the place for a role that nobody plays (neither "generator" nor a
/// strategy's critic; the campaign may name "critic" at any time), for a strategy's critic that is no role,
/// and for an unknown model.
void read_roles(yaml::MapReader& campaign, CampaignConfig& config);

}  // namespace ridgeline::campaign
