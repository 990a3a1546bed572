// Perturbs inputs by a known relative amount, to measure how the reference responds.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace ridgeline::verifier {

/// Returns copies of float64 and complex128 tensors in which every component x becomes x (1 + step r), with
/// 0.5 <= |r| < 1.5 and a random sign (a function of `seed` and place). Other tensors are returned as they
/// are. Zeros stay zeros. A negative `step` turns every sign.
std::vector<at::Tensor> perturbed(const std::vector<at::Tensor>& wide, double step, std::uint64_t seed);

/// Writes one tensor, wherever it lies, into `wide` (float64, complex128, or its own dtype), perturbed in
/// the same way unless `step` is 0. Works piece by piece, so that gigabytes need little memory beside
/// themselves.
void widen_into(const at::Tensor& wide, const at::Tensor& tensor, double step, std::uint64_t seed);

/// Returns copies of floating and complex tensors whose components are rounded to `digits` significant
/// binary digits.
std::vector<at::Tensor> rounded(const std::vector<at::Tensor>& tensors, int digits);

}  // namespace ridgeline::verifier
