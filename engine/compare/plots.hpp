// The pictures of a report, each one SVG element.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

std::string fast_plot(const Comparison& comparison);
std::string category_plot(const Comparison& comparison);  ///< heat map of correctness
std::string budget_plot(const Comparison& comparison);

/// One picture a device, since each has its own roofs; empty if no kernel was placed.
std::vector<std::pair<std::string, std::string>> roofline_plots(const Comparison& comparison);

}  // namespace ridgeline::compare
