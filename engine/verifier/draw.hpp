// Values of one input tensor, written into raw memory: plain numbers, no tensors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/random.hpp"

namespace ridgeline::verifier {

/// A tensor's distribution with its expressions evaluated.
struct DrawPlan {
  std::string name;
  DType dtype = DType::float32;
  Draw draw = Draw::normal;
  double low = 0, high = 1;
  bool outliers = true;
  std::vector<std::int64_t> shape;
  std::int64_t elements = 0;  ///< complex counts once
  std::int64_t row = 1;       ///< length of the last axis; 1 for a scalar tensor

  std::int64_t rows() const { return row == 0 ? 0 : elements / row; }
};

/// Throws BadInput, naming the tensor, where the distribution does not fit its dtype or shape.
DrawPlan plan_draw(const Tensor& tensor, const Symbols& sizes);

/// Elements are independent of each other and of their place, so that any window of a longer draw is a draw.
bool is_independent(Draw draw);
/// A matrix with an invariant, which matrices.hpp draws.
bool is_matrix(Draw draw);

/// normal, uniform, bernoulli, constant: `count` elements (complex counts once) at `out`.
void draw_independent(const DrawPlan& plan, const Random& random, std::int64_t count, void* out);
/// Multiplies each element with probability 0.001 by 50, at least one if there is any.
void add_outliers(const DrawPlan& plan, const Random& random, std::int64_t count, void* out);
/// Whether `outlier` changes this tensor.
bool takes_outliers(const DrawPlan& plan);

/// sorted, permutation, probabilities: the whole tensor.
void draw_rows(const DrawPlan& plan, const Random& random, void* out);

}  // namespace ridgeline::verifier
