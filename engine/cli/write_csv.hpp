// Writes a comparison as files of comma-separated values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ridgeline::cli {

/// Writes each table of compare::csv_tables to `folder`/TABLE.csv, and makes the folder. An empty list makes
/// no table. Other files there stay, a table of an earlier comparison too. Throws MachineCannot if it cannot
/// be written.
void write_csv(const std::string& folder, const nlohmann::json& comparison);

}  // namespace ridgeline::cli
