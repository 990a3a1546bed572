// Formats numbers as prompts show them: three significant digits and a unit that keeps them short.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::prompts {

std::string time_text(double seconds);                           ///< "152 µs"
std::string bytes_text(double bytes);                            ///< "4.19 MB", decimal
std::string count_text(double count);                            ///< "2.1 M"
std::string percent_text(double share);                          ///< 0.26 → "26 %"
std::string speedup_text(double factor);                         ///< "1.42x"
std::string number_text(double value);                           ///< an element's value: "0.1318359", "nan"
std::string shape_text(const std::vector<std::int64_t>& shape);  ///< "[37, 129]"
std::string sizes_text(const Symbols& sizes);                    ///< "M = 37, N = 129"

}  // namespace ridgeline::prompts
