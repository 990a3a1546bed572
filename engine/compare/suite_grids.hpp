// Builds the tables of the figures by which suites' authors score answers.
#pragma once

#include <vector>

#include "engine/compare/grid.hpp"
#include "engine/compare/suite_score.hpp"

namespace ridgeline::compare {

/// The headline fast_p by both rules in the paper's shape: strategies as rows, levels as columns.
Grid paper_grid(const SuiteScore& score);
/// All figures of all levels.
Grid levels_grid(const SuiteScore& score);
/// The figures against torch.compile in the mode SuiteScore::modes[mode].
Grid compiled_grid(const SuiteScore& score, std::size_t mode);
/// How answers ended, by strategy and rule.
Grid endings_grid(const SuiteScore& score);
/// The tasks that are listed apart.
Grid apart_grid(const SuiteScore& score);

/// Returns all tables in the order above, without those that have no rows.
std::vector<Grid> suite_grids(const SuiteScore& score);

}  // namespace ridgeline::compare
