// Quantized tasks whose later steps are ill-conditioned.
#include "engine/verifier/quantized_room.hpp"

#include <ATen/ops/layer_norm.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

using Tensors = std::vector<at::Tensor>;

/// layer_norm_in_steps in float32, with a mean that is off by a rounding even where all values are equal.
void layer_norm_by_reciprocal(const Tensors& in, Tensors& out) {
  const auto n = in[0].size(1);
  const float share = 1.0F / static_cast<float>(n);
  for (std::int64_t row = 0; row < in[0].size(0); ++row) {
    const auto* x = data<float>(in[0]) + row * n;
    auto* y = data<float>(out[0]) + row * n;
    float sum = 0, squares = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += y[i] = std::nearbyint(x[i] * 32) / 32;
    const float mean = sum * share;
    for (std::int64_t i = 0; i < n; ++i) squares += (y[i] - mean) * (y[i] - mean);
    const float inverse = 1 / std::sqrt(squares * share + 1e-5F);
    for (std::int64_t i = 0; i < n; ++i) y[i] = (y[i] - mean) * inverse;
  }
}

TEST(QuantizedRoom, RoundingsOfALaterStepPassOnRowsOfEqualValues) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Trial trial(layer_norm_in_steps(), InputSet::edge, seed);
    const auto result = trial.judge(layer_norm_by_reciprocal);
    EXPECT_TRUE(result.ok) << result.detail;
  }
}

TEST(QuantizedRoom, AnUnquantizedLayerNormFails) {
  const Trial trial(layer_norm_in_steps());
  const auto result = trial.judge_values({at::layer_norm(trial.inputs[0], {trial.inputs[0].size(1)})});
  EXPECT_EQ(result.reason, Reason::not_quantized) << result.detail;
}

}  // namespace
}  // namespace ridgeline::verifier
