// Writes a comparison as one HTML file.
#pragma once

#include <string>
#include <string_view>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Returns a self-contained page: style and charts (SVG) are part of it, nothing is loaded and no script
/// runs, so it reads without a network and prints as shown. Text from outside is escaped.
std::string html_report(const Comparison& comparison);

/// Returns the report's body below its title, for a page that embeds it.
std::string report_sections(const Comparison& comparison);
/// Returns the style that the sections need.
std::string_view report_style();

}  // namespace ridgeline::compare
