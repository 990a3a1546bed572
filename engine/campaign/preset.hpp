// Reads the strategies of a campaign file. A preset is a YAML file with a strategy's name and settings; a
// campaign that names a preset may change its settings and its label.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/campaign/config.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::campaign {

/// Reads one entry of `strategies:`, with the keys `preset` or `strategy`, `label` and `settings`. Searches
/// `folders` in order for `<preset>.yaml`; the first file found counts. Throws BadInput for an unknown
/// preset, strategy or key, and for a wrong value; it names the line of the campaign file or of the preset.
StrategyChoice read_strategy(yaml::MapReader entry, const std::vector<std::filesystem::path>& folders);

/// Returns the folders of presets in the order of search: `strategies` in the campaign file's folder, then
/// the folders that ship with Ridgeline. A folder need not exist.
std::vector<std::filesystem::path> preset_folders(const std::filesystem::path& campaign_file);

}  // namespace ridgeline::campaign
