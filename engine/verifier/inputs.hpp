// Draws secret input values: a pure function of (task, case, set, seed), so that whoever holds the seed can
// draw them again.
//
// standard: the task's own distribution.
// outlier: each floating element is multiplied by 50 with probability 0.001, at least one a tensor, where
// the distribution allows it (`outliers`; draws with an invariant never do). A bool mask ends with true.
// edge: rows of zeros, ±0, ties, equal values, extremes and tiny values, each kept inside the distribution's
// domain: the interval of a uniform draw, twelve standard deviations of a normal one (four where `outliers`
// is false).
//
// Non-finite values are never drawn, since no distribution of a task file describes them. The infinities and
// NaN that an operator makes from finite inputs are compared; see expected.hpp. Invariants (sorted,
// permutation, probabilities, positive definite, symmetric, well conditioned, an index's range) hold in
// every set. What the reference's own code draws is the same in every set.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// Draws the in and inout tensors in the order of parameters: contiguous, in the task's dtypes, on the CPU;
/// large ones on the reference's device if the task is judged there (draw_there.hpp). Tensors with
/// Draw::reference are drawn by `reference`; a task with such a tensor is refused without it. Throws
/// BadInput where a distribution cannot be drawn (an empty range, a dtype that does not fit).
std::vector<at::Tensor> draw_inputs(const Task& task, const Case& task_case, InputSet set, std::uint64_t seed,
                                    const Reference* reference = nullptr);

}  // namespace ridgeline::verifier
