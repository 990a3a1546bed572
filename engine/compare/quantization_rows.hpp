// Sums up what strategies do on quantized tasks: how far their results lie from the unquantized ones, and how
// many kernels do not quantize at all. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/core/mismatch.hpp"

namespace ridgeline::compare {

struct StrategyGroup;

/// One strategy on the tasks of the category Quantization.
struct QuantizationRow {
  std::size_t strategy = 0;  ///< index in Comparison::strategies
  int tasks = 0;             ///< with a trajectory that is scored
  int solved = 0;            ///< of these, with a correct scored kernel
  int candidates = 0;        ///< callable ones within the cut
  int not_quantized = 0;     ///< of these, refused since they do not quantize
  int measured = 0;          ///< tasks whose distance is known
  /// Medians over `measured` tasks, each the mean over its correct scored kernels; a kernel is the median
  /// over its cases and outputs. Without names.
  QuantizationDistance distance;
};

/// Returns a row for each strategy that tried such a task.
std::vector<QuantizationRow> quantization_rows(const std::vector<StrategyGroup>& groups);

}  // namespace ridgeline::compare
