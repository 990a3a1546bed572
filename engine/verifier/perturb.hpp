// Inputs moved by a known relative amount, to see how the reference responds.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace ridgeline::verifier {

/// Copies of the float64 and complex128 tensors with every component x as x (1 + step r), 0.5 <= |r| < 1.5
/// and of either sign at random (a function of `seed` and place); others are the tensors given. Zeros stay
/// zeros. `step` may be negative, which turns every sign.
std::vector<at::Tensor> perturbed(const std::vector<at::Tensor>& wide, double step, std::uint64_t seed);

/// One tensor, wherever it lies, written into `wide` (float64, complex128, or its own dtype), its components
/// moved so unless `step` is 0: piece by piece, so that gigabytes need little beside themselves.
void widen_into(const at::Tensor& wide, const at::Tensor& tensor, double step, std::uint64_t seed);

/// Copies with every component of a floating or complex tensor rounded to `digits` significant binary digits.
std::vector<at::Tensor> rounded(const std::vector<at::Tensor>& tensors, int digits);

}  // namespace ridgeline::verifier
