// The tables of a comparison, worded once for the terminal and for the report.
#pragma once

#include <string>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Cells as text; the first column is a name, the others are figures.
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

/// All of them, in the order above, then KernelBench's where there are some.
std::vector<Grid> grids(const Comparison& comparison);

}  // namespace ridgeline::compare
