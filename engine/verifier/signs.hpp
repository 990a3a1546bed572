// Removes the freedom of sign (or unit phase) that each column of a factorization has.
//
// Factors alone have it: the outputs that the contract names, or, if it names none, the floating and complex
// outputs of the highest rank, if that is 2 or more. Singular values of a batch, [batch, k] beside factors
// [batch, m, k], are no factor: their signs and their order count.
//
// The first factor fixes one phase for each index of UpToSign::axis (of each matrix of a batch), from its
// inner product with the oracle; the phase is 1 where that is 0 or NaN. Later factors must follow the same
// phases, by columns or, conjugated, by rows, whichever comes nearer to the oracle. Then the product of the
// factors equals the oracle's product, and so rebuilds the input, if each factor matches.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// Returns `outputs`: floating ones widened to float64 and complex ones to complex128, integers and bools as
/// they are, and factors multiplied by their phases. A factor whose shape differs from the one in `oracle` is
/// only widened. The contract of `task` is UpToSign; both lists are in the order of outputs_of(task).
std::vector<at::Tensor> align_signs(const Task& task, const std::vector<at::Tensor>& outputs,
                                    const std::vector<at::Tensor>& oracle);

}  // namespace ridgeline::verifier
