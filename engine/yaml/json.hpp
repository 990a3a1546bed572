// Free-form YAML as JSON: for maps that are passed on as they are, and to hash or print a whole document.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/yaml/reader.hpp"

namespace ridgeline::yaml {

/// Plain scalars become null, bool, integer or number where they look like one; all others texts.
nlohmann::json to_json(const Node& node);

}  // namespace ridgeline::yaml
