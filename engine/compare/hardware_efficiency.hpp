// Sums up how near scored kernels come to the device's roofs: KernelBench-X's max(IOU, MFU), by strategy and
// category. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// The figures of one strategy on one category, or on all.
struct EfficiencyCell {
  int tasks = 0;    ///< with a correct, timed, unflagged scored kernel whose roofline is known
  double mean = 0;  ///< over tasks; a task is the mean over its trajectories, a kernel over its cases by time
  double highest = 0;  ///< of a kernel
  int over_roof = 0;   ///< kernels with more than 1: caches, or less traffic than was counted
};

/// One strategy's row.
struct EfficiencyRow {
  EfficiencyCell all;
  std::vector<EfficiencyCell> by_category;  ///< one for each of Comparison::categories
};

/// Returns a row for each strategy; none if no roofline is known.
std::vector<EfficiencyRow> hardware_efficiencies(const Comparison& comparison);

}  // namespace ridgeline::compare
