// Sums up what strategies do on quantized tasks: how far their results lie from the unquantized ones, and how
// many kernels do not quantize at all. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "engine/core/mismatch.hpp"

namespace ridgeline::compare {

struct StrategyGroup;

/// The figures of a distance, each of which is summed up for itself.
inline constexpr std::array distance_figures = {&QuantizationDistance::cosine,
                                                &QuantizationDistance::relative_l1,
                                                &QuantizationDistance::rmse, &QuantizationDistance::sqnr_db};

/// One strategy on the tasks of the category Quantization.
struct QuantizationRow {
  std::size_t strategy = 0;  ///< index in Comparison::strategies
  int tasks = 0;             ///< with a trajectory that is scored
  int solved = 0;            ///< of these, with a correct scored kernel
  int candidates = 0;        ///< callable ones within the cut
  int not_quantized = 0;     ///< of these, refused since they do not quantize
  int measured = 0;          ///< tasks whose distance is known
  /// Per kernel, the median over cases and outputs. Per task, the mean over its correct scored kernels with
  /// a distance. Here, the median over the `measured` tasks; 0 if there are none. case_name and output stay
  /// empty.
  QuantizationDistance distance;
};

/// Returns a row for each strategy that tried such a task.
std::vector<QuantizationRow> quantization_rows(const std::vector<StrategyGroup>& groups);

}  // namespace ridgeline::compare
