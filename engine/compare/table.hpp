// Prints a comparison for the terminal.
#pragma once

#include <string>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Returns plain text without colours; lines end with "\n". Columns are aligned by code points.
std::string terminal_table(const Comparison& comparison);

}  // namespace ridgeline::compare
