// The `models:` map of a campaign file.
#pragma once

#include <vector>

#include "engine/yaml/reader.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::campaign {

std::vector<llm::Model> read_models(yaml::MapReader models);

}  // namespace ridgeline::campaign
