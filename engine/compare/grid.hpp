// Builds the tables of a comparison, with the same words for the terminal and for the report.
#pragma once

#include <string>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// A table of text; the first column holds names, the others hold figures.
struct Grid {
  std::string title;
  std::string explanation;  ///< one sentence; may be empty
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
};

Grid strategies_grid(const Comparison& comparison);
Grid fast_grid(const Comparison& comparison);
Grid repair_grid(const Comparison& comparison);
Grid rounds_grid(const Comparison& comparison);
Grid categories_grid(const Comparison& comparison);
Grid tasks_grid(const Comparison& comparison);

/// Returns all tables in the order above, followed by those of the suites that are scored by a rule of their
/// own.
std::vector<Grid> grids(const Comparison& comparison);

}  // namespace ridgeline::compare
