// A comparison as one HTML file.
#pragma once

#include <string>
#include <string_view>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Self-contained: style and pictures (SVG) stand in the file, nothing is loaded and no script runs, so that
/// it reads without a network and prints as it looks. Text from outside is escaped.
std::string html_report(const Comparison& comparison);

/// The report's body below its title, and its style, for a page that embeds it.
std::string report_sections(const Comparison& comparison);
std::string_view report_style();

}  // namespace ridgeline::compare
