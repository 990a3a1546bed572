// Draws the charts of a report, each as one SVG element.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Curves of fast_p over p, one a strategy.
std::string fast_plot(const Comparison& comparison);
std::string category_plot(const Comparison& comparison);  ///< heat map of correctness
/// Speed-up against the budget spent, one curve a strategy.
std::string budget_plot(const Comparison& comparison);

/// Draws one chart for each device, since each has its own ceilings: pairs of device and SVG. Empty if no
/// kernel has a place on a roofline.
std::vector<std::pair<std::string, std::string>> roofline_plots(const Comparison& comparison);

}  // namespace ridgeline::compare
