// Matrices with an invariant: positive definite, symmetric, well conditioned. Complex ones are Hermitian,
// unitary.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/verifier/draw.hpp"

namespace ridgeline::verifier {

/// Drawn in float64 (complex128) and rounded to the plan's dtype, which keeps symmetry exactly.
at::Tensor draw_matrices(const DrawPlan& plan, const Random& random);

}  // namespace ridgeline::verifier
