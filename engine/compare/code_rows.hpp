// Says how maintainable the scored kernels of each strategy are (KernelBench-X's MI and CC).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"

namespace ridgeline::store {
class Reader;
}

namespace ridgeline::compare {

struct Comparison;

/// The kernels of one strategy in languages of one syntax. Figures of Python are radon's, of the kernel
/// alone; those of C-family sources are ours. The two do not compare.
struct CodeRow {
  std::size_t strategy = 0;  ///< index in Comparison::strategies
  bool python = false;
  int kernels = 0;   ///< callable scored kernels with figures
  int unread = 0;    ///< further ones without
  double index = 0;  ///< median maintainability index, 0 (bad) to 100
  double lowest_index = 0;
  double complexity = 0;       ///< median over kernels of the mean cyclomatic complexity of a function
  double most_complexity = 0;  ///< of any function
};

/// Reads the callable scored kernels from the stores, in the order of TrajectoryResult::store, and fills
/// Comparison::code; a note says why Python has no figures. Starts a Python once if there are Python kernels.
/// Throws MachineCannot if a store is damaged or there is no Python.
void add_code_rows(Comparison& comparison, const std::vector<const store::Reader*>& readers);

}  // namespace ridgeline::compare
