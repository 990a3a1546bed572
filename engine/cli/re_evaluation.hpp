// Makes a campaign ask nobody: its models answer what they answered in a store, so that the same candidates
// are judged again, on another machine or by another version.
#pragma once

#include <string>
#include <vector>

#include "engine/campaign/config.hpp"

namespace ridgeline::cli {

/// Writes the answers that each of the campaign's models gave in `store` as a recording into `folder`, which
/// is made, and returns the overrides that let these recordings answer. A model without an answer there gets
/// an empty one, so that none is asked. Takes the store's campaign of that name, else its newest. Throws
/// BadInput if the store holds no answer, or is the store that the campaign would write.
std::vector<std::string> answers_as_overrides(const std::string& store,
                                              const campaign::CampaignConfig& config,
                                              const std::string& folder);

}  // namespace ridgeline::cli
