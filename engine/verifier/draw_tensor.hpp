// Draws one input tensor of a set: the step that draw_inputs and InputStream share.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/verifier/draw.hpp"
#include "engine/verifier/matrices.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// Whether the task is a factorization. Zeros and equal rows leave a factorization undecided (rank, repeated
/// singular values), so its edge set is the standard one scaled by 2^6 or 2^-6.
inline bool is_factorization(const Task& task) {
  return std::holds_alternative<UpToSign>(task.contract);
}

/// The random stream of one argument in one input set.
inline Random stream_of(std::uint64_t seed, std::size_t argument, InputSet set) {
  return Random(seed, argument * 8 + static_cast<std::uint64_t>(set));
}

/// Lets the reference draw, under `seed`, the tensors whose draw is Draw::reference. Returns an empty vector
/// if the task has none; throws BadInput if it has one and `reference` is null.
std::vector<at::Tensor> drawn_by_reference(const Task& task, const Reference* reference, std::uint64_t seed);

/// Draws one tensor on the CPU in the plan's dtype and shape. `factorized` is is_factorization(task).
at::Tensor draw_tensor(const DrawPlan& plan, InputSet set, bool factorized, const Random& random);

}  // namespace ridgeline::verifier
