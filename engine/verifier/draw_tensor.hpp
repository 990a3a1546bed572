// One input tensor of a set: what draw_inputs and InputPool have in common.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/verifier/draw.hpp"
#include "engine/verifier/matrices.hpp"

namespace ridgeline::verifier {

/// Zeros and equal rows leave a factorization undecided (rank, repeated singular values): its edge set is the
/// standard one at 2^±6 times its magnitude.
inline bool is_factorization(const Task& task) {
  return std::holds_alternative<UpToSign>(task.contract);
}

inline Random stream_of(std::uint64_t seed, std::size_t argument, InputSet set) {
  return Random(seed, argument * 8 + static_cast<std::uint64_t>(set));
}

at::Tensor draw_tensor(const DrawPlan& plan, InputSet set, bool factorized, const Random& random);

}  // namespace ridgeline::verifier
