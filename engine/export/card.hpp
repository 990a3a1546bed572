// The card of an exported folder, by which `datasets` finds its files and people what is in them.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/export/options.hpp"

namespace ridgeline::exporting {

/// Returns README.md: a YAML header with the files and the types of all columns, then the text. `files` are
/// the names of the files that there are. No time of day stands in it.
std::string card(const ExportOptions& options, const ExportReport& report,
                 const std::map<Split, std::string>& files);

/// Whether a README.md is a card of an export.
bool is_card(const std::string& text);

/// Returns LLaMA-Factory's dataset_info.json, with an entry a file; null for formats that are not its.
nlohmann::json dataset_info(Format format, const std::map<Split, std::string>& files);

}  // namespace ridgeline::exporting
