// Says whether what a strategy solves, and how fast, goes along with how references are built: rank
// correlations over tasks (KernelBench-X's structural proxies). Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ridgeline::compare {

struct StrategyGroup;

/// A rank correlation over tasks.
struct Correlation {
  int tasks = 0;
  double rho = 0;     ///< Spearman's, ties in mid-ranks; 0 where one side never differs
  double p = 1;       ///< of a permutation test, two-sided; 1 where one side never differs
  double p_holm = 1;  ///< p, Holm-adjusted over all rows of its kind; structure_rows alone sets it
};

/// One strategy and one count of TaskStructure.
struct StructureRow {
  std::size_t strategy = 0;  ///< index in Comparison::strategies
  std::string proxy;         ///< "operators", "reductions", "indexing", "outputs", "rank"
  Correlation solved;        ///< with the share of a task's trajectories that are solved
  Correlation speedup;       ///< with the mean logarithm of the speed-up, over tasks with a timed kernel
};

/// Returns rows by strategy, for those with five tasks or more whose structure is known.
std::vector<StructureRow> structure_rows(const std::vector<StrategyGroup>& groups);

/// Returns Spearman's rank correlation of two columns of one length. Its p is from 2,000 random permutations
/// of a fixed seed, so equal columns give an equal p. Under 5 values rho is 0 and p is 1. p_holm stays 1.
Correlation spearman(const std::vector<double>& first, const std::vector<double>& second);

}  // namespace ridgeline::compare
