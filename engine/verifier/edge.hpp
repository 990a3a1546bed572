// Lays the edge set's hard values over a standard draw, inside the distribution's domain.
//
// Subnormal numbers are drawn in float16 only. In wider dtypes a kernel built to flush them to zero is
// honest, and operators with a pole at zero would tell it apart; the smallest normal numbers stand in there.
#pragma once

#include "engine/verifier/draw.hpp"

namespace ridgeline::verifier {

/// Overwrites parts of `out`, which holds the standard draw of the whole tensor.
/// normal, uniform, bernoulli: whole rows along the last axis (ninths of a tensor with fewer than nine rows)
/// become in turn zeros, ±0, one value, ties among three, extremes, tiny, widely spread; two ninths stay as
/// drawn. sorted: rows of one value, of two values, and as drawn. permutation: identity, reverse, as drawn.
/// probabilities: nearly one-hot, uniform, as drawn. Other distributions stay unchanged.
void lay_edges(const DrawPlan& plan, const Random& random, void* out);

}  // namespace ridgeline::verifier
