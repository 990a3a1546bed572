// A comparison as one HTML file.
#pragma once

#include <string>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Self-contained: style and pictures (SVG) stand in the file, nothing is loaded and no script runs, so that
/// it reads without a network and prints as it looks. Text from outside is escaped.
std::string html_report(const Comparison& comparison);

}  // namespace ridgeline::compare
