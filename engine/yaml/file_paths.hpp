// Paths in a YAML file are relative to that file, so that a campaign means the same wherever it is started.
#pragma once

#include <string>

#include "engine/yaml/reader.hpp"

namespace ridgeline::yaml {

/// Returns the path in `node`. A relative path is joined to the folder of the node's file; one from `--set`
/// stays as written, relative to the working directory. An empty path stays empty. Does not check whether it
/// exists. Throws BadInput if the node is no scalar.
std::string path_in_file(const Node& node);

/// Returns path_in_file of the value under `key`, or "" where the key is missing or has no value.
std::string optional_path(MapReader& map, const std::string& key);

}  // namespace ridgeline::yaml
