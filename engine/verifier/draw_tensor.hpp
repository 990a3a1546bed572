// One input tensor of a set: what draw_inputs and InputPool have in common.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/verifier/draw.hpp"
#include "engine/verifier/matrices.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// Zeros and equal rows leave a factorization undecided (rank, repeated singular values): its edge set is the
/// standard one at 2^±6 times its magnitude.
inline bool is_factorization(const Task& task) {
  return std::holds_alternative<UpToSign>(task.contract);
}

inline Random stream_of(std::uint64_t seed, std::size_t argument, InputSet set) {
  return Random(seed, argument * 8 + static_cast<std::uint64_t>(set));
}

/// What the reference draws under `seed`, as Reference::draw gives it; nothing where no tensor of the task is
/// drawn by it.
std::vector<at::Tensor> drawn_by_reference(const Task& task, const Reference* reference, std::uint64_t seed);

at::Tensor draw_tensor(const DrawPlan& plan, InputSet set, bool factorized, const Random& random);

}  // namespace ridgeline::verifier
