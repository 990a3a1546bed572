// Removes the freedom of sign (or unit phase) that each column of a factorization has.
//
// Factors alone have it: the outputs that the contract names, or, if it names none, the floating and complex
// outputs of the highest rank, if that is 2 or more. Singular values of a batch, [batch, k] beside factors
// [batch, m, k], are no factor: their signs and their order count.
//
// The first factor fixes one phase for each index of `axis` (of each matrix of a batch), from its inner
// product with the oracle. Later factors must follow the same phases, by columns or, conjugated, by rows:
// then the product of the factors equals the oracle's product. So the product rebuilds the input wherever
// each factor matches.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// Returns `outputs` widened (float64 or complex128), and its factors turned towards `oracle`, which has the
/// same shapes. The contract of `task` is UpToSign; outputs are in the order of outputs_of(task).
std::vector<at::Tensor> align_signs(const Task& task, const std::vector<at::Tensor>& outputs,
                                    const std::vector<at::Tensor>& oracle);

}  // namespace ridgeline::verifier
