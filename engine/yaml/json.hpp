// Converts YAML of any form to JSON: for maps that are passed on unread, and to hash or print a document.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/yaml/reader.hpp"

namespace ridgeline::yaml {

/// Converts a tree. A plain scalar becomes null, a boolean, an integer or a finite number where YAML 1.2
/// reads it as such; every other scalar, and each one in quotes, becomes a string.
nlohmann::json to_json(const Node& node);

}  // namespace ridgeline::yaml
