// Draws matrices with an invariant: positive definite, symmetric, well conditioned. Complex ones are
// Hermitian (the first two) or made of unitary factors.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/verifier/draw.hpp"

namespace ridgeline::verifier {

/// Draws the matrices of a batch independently of each other, in float64 (complex128), and rounds them to the
/// plan's dtype, which keeps symmetry exactly. Every second well-conditioned matrix of a batch, and a single
/// one always, has a first pivot of 0 if it has two rows or more. All input sets are drawn alike. The numbers
/// lie on `device` and follow from the stream alone, but those of a CPU differ from a GPU's. On a GPU it
/// draws from torch's generators, which it seeds.
at::Tensor draw_matrices(const DrawPlan& plan, const Random& random, at::Device device = at::kCPU);

}  // namespace ridgeline::verifier
