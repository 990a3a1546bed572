// Secret input values: a pure function of (task, case, set, seed), so that whoever holds the seed can draw
// them again.
//
// standard: the task's own distribution. outlier: each floating element with probability 0.001 times 50, at
// least one a tensor, where the distribution allows it (`outliers`; draws with an invariant never take part).
// edge: rows of zeros, ±0, ties, equal values, extremes and tiny values, each kept inside the distribution's
// domain: the interval of a uniform draw, twelve standard deviations of a normal one (four where `outliers`
// is false). Non-finite values are never drawn: no distribution of a task file speaks of them. What the
// operator makes of the finite ones, infinities and NaN too, is compared; see expected.hpp. Invariants
// (sorted, permutation, probabilities, positive definite, symmetric, well conditioned, an index's range) hold
// in every set. What the reference's own code draws is drawn by it, and the same in every set.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// The in and inout tensors in the order of parameters: contiguous, on the CPU, in the task's dtypes.
/// `reference` is asked where a tensor's draw is Draw::reference; without one such a task is refused. Throws
/// BadInput where a distribution cannot be drawn (an empty range, a dtype that does not fit).
std::vector<at::Tensor> draw_inputs(const Task& task, const Case& one, InputSet set, std::uint64_t seed,
                                    const Reference* reference = nullptr);

}  // namespace ridgeline::verifier
