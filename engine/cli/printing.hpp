// JSON on stdout, and the figures that commands print.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/history/figures.hpp"

namespace ridgeline::cli {

using history::as_count;
using history::as_table;
using history::as_time;
using history::indented;

/// Of the documents that `--json` prints; raised with every change that a reader would misread.
inline constexpr int json_schema = 1;

/// `document` with "schema" and "command" added, on stdout.
void print_json(const std::string& command, nlohmann::json document);

/// For people, on stdout: what answers, compilers and kernels said stands in such texts, and speaks to no
/// terminal.
void print_text(const std::string& text);

}  // namespace ridgeline::cli
