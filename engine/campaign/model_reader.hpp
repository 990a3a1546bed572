// The `models:` map of a campaign file.
#pragma once

#include <vector>

#include "engine/yaml/reader.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::campaign {

/// Reads every model of the map, in its order. Throws BadInput with the place for whatever is wrong, unknown
/// or does not suit the provider. A value that may be a secret is never shown in an error.
std::vector<llm::Model> read_models(yaml::MapReader models);

}  // namespace ridgeline::campaign
