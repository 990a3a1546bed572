// Reads the strategies of a campaign file. A preset is a YAML file with a strategy's name and settings, which
// the campaign may change.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/campaign/config.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::campaign {

/// Reads one entry of `strategies:`, with the keys `preset` or `strategy`, `label` and `settings`. Searches
/// `folders` in order for `<preset>.yaml`. Throws BadInput with its place for whatever is wrong or unknown.
StrategyChoice read_strategy(yaml::MapReader entry, const std::vector<std::filesystem::path>& folders);

/// Returns the folders of presets in the order of search: beside the campaign file, then those that ship with
/// Ridgeline. A folder need not exist.
std::vector<std::filesystem::path> preset_folders(const std::filesystem::path& campaign_file);

}  // namespace ridgeline::campaign
