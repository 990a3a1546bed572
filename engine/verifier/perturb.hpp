// Perturbs inputs by a known relative amount, to measure how the reference responds.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/verifier/tolerance.hpp"

namespace ridgeline::verifier {

/// Perturbed runs that conditions are derived from (tolerance.hpp: k).
inline constexpr std::size_t perturbations = 4;
/// The seed of the first run's signs; run `number` takes `sign_seed + number`. Fixed: signs are no secret.
inline constexpr std::uint64_t sign_seed = 0x51675;
/// The relative size of perturbation `number`, counted from 0.
inline double perturbation_step(std::size_t number) {
  return number == 1 ? second_step : first_step;
}

/// Returns copies of float64 and complex128 tensors in which every component x becomes x (1 + step r). Each
/// component has its own r of random sign with 0.5 <= |r| < 1.5, which depends on `seed`, on its place and on
/// whether the tensor lies on the CPU. Tensors of other dtypes are returned as they are, not copied. Zeros
/// stay zeros. With -step every component moves as far the other way.
std::vector<at::Tensor> perturbed(const std::vector<at::Tensor>& wide, double step, std::uint64_t seed);

/// Writes `tensor`, which may lie on another device, into `wide`, which has as many elements. If `wide` is
/// float64 or complex128 and `step` is not 0, what is written is perturbed as above, with numbers of torch's
/// own generator, which is seeded with `seed`. Otherwise it is a copy. Works piece by piece, so that
/// gigabytes need little memory beside themselves.
void widen_into(const at::Tensor& wide, const at::Tensor& tensor, double step, std::uint64_t seed);

/// Returns copies of floating and complex tensors whose components are rounded to `digits` significant
/// binary digits.
std::vector<at::Tensor> rounded(const std::vector<at::Tensor>& tensors, int digits);

}  // namespace ridgeline::verifier
