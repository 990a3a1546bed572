// Presets: a strategy's name and settings in a file, and the changes a campaign makes to them.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/campaign/config.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::campaign {

/// One entry of a campaign's `strategies:`: `preset` or `strategy`, `label`, `settings`. `folders` are
/// searched in order for `<preset>.yaml`.
StrategyChoice read_strategy(yaml::MapReader entry, const std::vector<std::filesystem::path>& folders);

/// Folders of presets: beside the campaign file, and the one that ships with Ridgeline.
std::vector<std::filesystem::path> preset_folders(const std::filesystem::path& campaign_file);

}  // namespace ridgeline::campaign
