// A comparison for the terminal.
#pragma once

#include <string>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Plain text without colours, lines ended by "\n", columns aligned by code points.
std::string terminal_table(const Comparison& comparison);

}  // namespace ridgeline::compare
