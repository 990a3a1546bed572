// Compares what a strategy solves of the same tasks in two precisions: tasks whose names differ by an ending
// (gelu and gelu_bf16), paired. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// One strategy on the tasks that there are plain and with one ending.
struct PrecisionRow {
  std::size_t strategy = 0;      ///< index in Comparison::strategies
  std::string precision;         ///< the ending: "bf16"
  int tasks = 0;                 ///< pairs of which both were judged
  double plain = 0, narrow = 0;  ///< shares solved, each the mean over its seeds
  int more_plain = 0;            ///< pairs whose plain task was solved with more of its seeds
  int more_narrow = 0;           ///< and the other
  double p = 1;                  ///< McNemar's, of these two
  double p_holm = 1;             ///< adjusted over all rows
};

/// Returns the rows by strategy, then by precision; none if no task was tried both ways.
std::vector<PrecisionRow> precision_pairs(const Comparison& comparison);

}  // namespace ridgeline::compare
