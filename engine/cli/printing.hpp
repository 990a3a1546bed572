// Prints JSON and text on stdout, and formats the figures that commands print.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/history/figures.hpp"

namespace ridgeline::cli {

using history::as_count;
using history::as_table;
using history::as_time;
using history::indented;

/// Version of the documents that `--json` prints. Raised with every change that a reader would misread.
inline constexpr int json_schema = 1;

/// Prints `document` on stdout, with "schema" and "command" added.
void print_json(const std::string& command, nlohmann::json document);

/// Prints text for people on stdout, without its control characters: it quotes answers, compilers and
/// kernels, none of which may command the terminal.
void print_text(const std::string& text);

}  // namespace ridgeline::cli
