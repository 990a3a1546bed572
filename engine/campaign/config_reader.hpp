// Campaign files and presets, read strictly: whatever is wrong is a BadInput with file, line, column and key
// before anything is spent. docs/campaign-file.md lists every key.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/campaign/config.hpp"

namespace ridgeline::campaign {

/// `overrides` are `a.b=value`, applied before reading. Presets are looked for in the folder `strategies`
/// beside the file, then in the one that ships with Ridgeline. Paths in the file are relative to the folder
/// of the process.
CampaignConfig read_campaign(const std::filesystem::path& file,
                             const std::vector<std::string>& overrides = {});

}  // namespace ridgeline::campaign
