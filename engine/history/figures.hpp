// Formats figures and tables as text for people. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/core/terminal_text.hpp"

namespace ridgeline::history {

/// Formats seconds in s, ms, us or ns with three significant digits: "12.3 ms". The unit is chosen for the
/// rounded number, so 0.9996 is "1 s". From 1000 s on all digits before the point stand: "1234 s".
std::string as_time(double seconds);
/// Formats a number likewise, with k, M, G or T: "24.1 G". A number that rounds to less than 1000 has no
/// letter but keeps the blank, "512 ", so that a unit may follow either: "24.1 GB/s", "512 B/s".
std::string as_count(double value);

/// Aligns columns by their widest cell; the first row is the head (text_table).
std::string as_table(const std::vector<std::vector<std::string>>& rows, const Terminal& terminal = {});

/// Returns `text` with `indent` before each line, and with a final line end; "" stays "".
std::string indented(const std::string& text, const std::string& indent);

}  // namespace ridgeline::history
