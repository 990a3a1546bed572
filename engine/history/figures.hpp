// Figures and tables as text for people. Pure.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::history {

/// Seconds in the unit that fits, three digits: "12.3 ms".
std::string as_time(double seconds);
/// The same with k, M, G, T: "24.1 G".
std::string as_count(double value);

/// Columns aligned by their widest cell (bytes, as our cells are ASCII); the first row is the head.
std::string as_table(const std::vector<std::vector<std::string>>& rows);

/// `text` with each line begun by `indent`, and with a line end where it lacks one; "" stays "".
std::string indented(const std::string& text, const std::string& indent);

}  // namespace ridgeline::history
