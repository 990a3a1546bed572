// Removes the freedom of sign (or unit phase) that each column of a factorization has.
//
// The first floating or complex output of rank >= 2 fixes one phase for each index of `axis` (of each matrix
// of a batch), from its inner product with the oracle. Later outputs of rank >= 2 must follow the same
// phases, by columns or, conjugated, by rows: then the product of the factors equals the oracle's product.
// So the product rebuilds the input wherever each factor matches.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace ridgeline::verifier {

/// Returns `outputs` widened (float64 or complex128) and turned towards `oracle`, which has the same shapes.
std::vector<at::Tensor> align_signs(const std::vector<at::Tensor>& outputs,
                                    const std::vector<at::Tensor>& oracle, int axis);

}  // namespace ridgeline::verifier
