// Draws the values of one input tensor into raw memory. Plain numbers, no tensors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/draw_numbers.hpp"
#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/random.hpp"

namespace ridgeline::verifier {

/// A tensor's distribution, with its expressions evaluated for one case.
struct DrawPlan {
  std::string name;
  DType dtype = DType::float32;
  Draw draw = Draw::normal;
  double low = 0, high = 1;
  bool outliers = true;
  std::vector<std::int64_t> shape;
  std::int64_t elements = 0;  ///< a complex number counts as one element
  std::int64_t row = 1;       ///< length of the last axis; 1 for a scalar tensor

  std::int64_t rows() const { return row == 0 ? 0 : elements / row; }
};

/// Evaluates the distribution of `tensor` under `sizes`. Throws BadInput, naming the tensor, where the
/// distribution does not fit its dtype or shape.
DrawPlan plan_draw(const Tensor& tensor, const Symbols& sizes);

/// Whether elements are independent of each other and of their place.
bool is_independent(Draw draw);
/// Whether the draw is a matrix with an invariant (definite, symmetric, conditioned), which matrices.hpp
/// draws.
bool is_matrix(Draw draw);

/// Describes the numbers of an independent draw (a complex element has two), for whoever generates them.
numbers::Generation generation_of(const DrawPlan& plan, const Random& random);
/// Draws `count` elements of a normal, uniform, bernoulli or constant distribution to `out`. A complex
/// number counts as one element.
void draw_independent(const DrawPlan& plan, const Random& random, std::int64_t count, void* out);
/// Multiplies each element with probability 0.001 by 50, and at least one element if `count` > 0.
void add_outliers(const DrawPlan& plan, const Random& random, std::int64_t count, void* out);
/// Whether the input set `outlier` changes this tensor.
bool takes_outliers(const DrawPlan& plan);

/// Draws the whole tensor of a sorted, permutation or probabilities distribution, row by row.
void draw_rows(const DrawPlan& plan, const Random& random, void* out);

}  // namespace ridgeline::verifier
