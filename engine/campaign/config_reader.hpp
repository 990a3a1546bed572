// Reads campaign files strictly, before anything is spent. docs/campaign-file.md lists every key.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/campaign/config.hpp"

namespace ridgeline::campaign {

/// Applies `overrides` ("a.b=value"), then reads `file`. Looks for presets in the folder `strategies` beside
/// the file, then in the folder that ships with Ridgeline. Throws BadInput with file, line, column and key
/// for whatever is wrong or unknown.
CampaignConfig read_campaign(const std::filesystem::path& file,
                             const std::vector<std::string>& overrides = {});

}  // namespace ridgeline::campaign
