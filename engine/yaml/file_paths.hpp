// Paths in a file are relative to it, so that a campaign means the same wherever it is started from.
#pragma once

#include <string>

#include "engine/yaml/reader.hpp"

namespace ridgeline::yaml {

/// The path that `node` holds: relative ones from the folder of the file that the node stands in, or from the
/// working directory for what was set on the command line. "" stays "".
std::string path_in_file(const Node& node);

/// The path under a key of `map`, or "" where the key is missing or has no value.
std::string optional_path(MapReader& map, const std::string& key);

}  // namespace ridgeline::yaml
