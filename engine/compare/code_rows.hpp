// Says how maintainable the scored kernels of each strategy are (KernelBench-X's MI and CC).
#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/candidate.hpp"

namespace ridgeline::store {
class Reader;
}

namespace ridgeline::compare {

struct Comparison;

/// The kernels of one strategy in languages of one syntax. Figures of Python are radon's, of the kernel
/// alone, not of a test with it. Those of C-family sources are ours. The two do not compare.
struct CodeRow {
  std::size_t strategy = 0;  ///< index in Comparison::strategies
  bool python = false;
  /// Trajectories whose scored kernel is callable, is in the store and has figures. A kernel that several
  /// trajectories scored counts once for each.
  int kernels = 0;
  int unread = 0;    ///< the same without figures: radon cannot read the kernel, or did not answer
  double index = 0;  ///< median maintainability index over `kernels`, 0 (bad) to 100
  double lowest_index = 0;
  /// Median over `kernels` of the cyclomatic complexity. Of Python that is the mean of its functions and
  /// classes, of a C-family source that of the whole source.
  double complexity = 0;
  double most_complexity = 0;  ///< the largest of a function or class, or of a whole C-family source
};

/// Reads the callable scored kernels from the stores, in the order of TrajectoryResult::store, and fills
/// Comparison::code; a note says why Python has no figures. Starts a Python once if there are Python kernels.
/// Throws MachineCannot if a store is damaged, or if there are Python kernels and no Python.
void add_code_rows(Comparison& comparison, const std::vector<const store::Reader*>& readers);

}  // namespace ridgeline::compare
