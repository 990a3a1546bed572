// The edge set: hard values laid over a standard draw, inside the distribution's domain.
//
// Subnormal numbers are drawn in float16 alone. In the wider dtypes a kernel built to flush them to zero is
// honest, and operators with a pole at zero would tell it apart; there the smallest normal numbers stand in.
#pragma once

#include "engine/verifier/draw.hpp"

namespace ridgeline::verifier {

/// normal, uniform, bernoulli: whole rows along the last axis (or, of a tensor with fewer than nine rows,
/// ninths of it) become in turn zeros, ±0, one value, ties among three, extremes, tiny, widely spread; a
/// third stays as drawn. sorted: rows of one value, of two, and as drawn. permutation: identity, reverse, as
/// drawn. probabilities: nearly one-hot, uniform, as drawn. Others: unchanged. `out` holds the standard draw
/// of the whole tensor.
void lay_edges(const DrawPlan& plan, const Random& random, void* out);

}  // namespace ridgeline::verifier
