// The tables of KernelBench's figures.
#pragma once

#include <vector>

#include "engine/compare/grid.hpp"
#include "engine/compare/kernelbench.hpp"

namespace ridgeline::compare {

/// In the paper's shape: strategies as rows, levels as columns, fast_1 by both rules.
Grid paper_grid(const KernelBenchScore& score);
/// Every figure of every level.
Grid levels_grid(const KernelBenchScore& score);
/// Against torch.compile in the mode KernelBenchScore::modes[mode].
Grid compiled_grid(const KernelBenchScore& score, std::size_t mode);
Grid endings_grid(const KernelBenchScore& score);
Grid apart_grid(const KernelBenchScore& score);

/// All of them, in the order above; those without rows are left out.
std::vector<Grid> kernelbench_grids(const KernelBenchScore& score);

}  // namespace ridgeline::compare
