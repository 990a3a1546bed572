// Prints a comparison for the terminal.
#pragma once

#include <string>

#include "engine/compare/compare.hpp"
#include "engine/core/terminal_text.hpp"

namespace ridgeline::compare {

/// Returns text; lines end with "\n". Fits the terminal's columns, and without a terminal has plain lines of
/// any length.
std::string terminal_table(const Comparison& comparison, const Terminal& terminal = {});

/// Returns the table of each kernel that was timed on several devices, or a sentence on how to get such
/// kernels if there are none.
std::string across_devices_table(const Comparison& comparison, const Terminal& terminal = {});

}  // namespace ridgeline::compare
