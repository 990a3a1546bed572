// Formats figures and tables as text for people. Pure.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::history {

/// Formats seconds in the unit that fits, with three digits: "12.3 ms".
std::string as_time(double seconds);
/// Formats a number with k, M, G or T: "24.1 G".
std::string as_count(double value);

/// Aligns columns by their widest cell (in bytes, as our cells are ASCII); the first row is the head.
std::string as_table(const std::vector<std::vector<std::string>>& rows);

/// Returns `text` with `indent` before each line, and with a final line end; "" stays "".
std::string indented(const std::string& text, const std::string& indent);

}  // namespace ridgeline::history
