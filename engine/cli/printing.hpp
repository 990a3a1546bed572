// Prints JSON and text on stdout. Also brings the functions that format figures (history/figures.hpp) into
// the namespace of the commands.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/history/figures.hpp"

namespace ridgeline::cli {

using history::as_count;  ///< as_count(24.1e9) is "24.1 G"
using history::as_table;  ///< aligns rows of cells; the first row is the head
using history::as_time;   ///< as_time(0.0123), in seconds, is "12.3 ms"
using history::indented;  ///< puts an indent before each line

/// The version of the documents that `--json` prints. Raise it with every change that would make a program
/// misread them.
inline constexpr int json_schema = 1;

/// Prints the object `document` on stdout, indented, with "schema" (json_schema) and "command" added and a
/// newline at the end.
void print_json(const std::string& command, nlohmann::json document);

/// Prints `text` for people on stdout, as valid UTF-8 and without control characters other than newline and
/// tab. The text quotes answers, compilers and kernels; their escape sequences must not reach the terminal.
/// Adds no newline.
void print_text(const std::string& text);

/// Returns a time, in milliseconds since 1970, in UTC as ISO 8601 writes it: "2026-11-28T07:00:00Z".
std::string iso_time(std::int64_t milliseconds);

}  // namespace ridgeline::cli
