#include "engine/verifier/draw_tensor.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>

#include "engine/core/error.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/edge.hpp"

namespace ridgeline::verifier {

at::Tensor draw_tensor(const DrawPlan& plan, InputSet set, bool factorized, const Random& random) {
  if (is_matrix(plan.draw)) return draw_matrices(plan, random);
  auto out = at::empty(plan.shape, at::TensorOptions().dtype(scalar_type(plan.dtype)));
  if (is_independent(plan.draw))
    draw_independent(plan, random, plan.elements, out.data_ptr());
  else
    draw_rows(plan, random, out.data_ptr());
  if (set == InputSet::outlier && takes_outliers(plan))
    add_outliers(plan, random.fork(7), plan.elements, out.data_ptr());
  // A kernel that misses the last elements is right where the mask leaves those out, which it does in half of
  // all draws and more.
  if (set == InputSet::outlier && plan.draw == Draw::bernoulli && plan.dtype == DType::boolean &&
      plan.high > 0 && plan.elements > 0)
    out.mutable_data_ptr<bool>()[plan.elements - 1] = true;
  if (set == InputSet::edge && !factorized) lay_edges(plan, random.fork(8), out.data_ptr());
  if (set == InputSet::edge && factorized && takes_outliers(plan))
    out.mul_(random.below(0, 2) == 0 ? 0x1p-6 : 0x1p6);
  return out;
}

std::vector<at::Tensor> drawn_by_reference(const Task& task, const Reference* reference, std::uint64_t seed) {
  for (const auto* tensor : arguments_of(task)) {
    if (tensor->input.draw != Draw::reference) continue;
    if (!reference)
      throw BadInput("task '" + task.name + "': '" + tensor->name +
                     "' is drawn by a reference that is not here");
    return reference->draw(seed);
  }
  return {};
}

}  // namespace ridgeline::verifier
