#include "engine/verifier/inputs.hpp"

#include <ATen/ops/empty.h>

#include "engine/core/error.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/draw.hpp"
#include "engine/verifier/draw_tensor.hpp"
#include "engine/verifier/draw_there.hpp"
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

std::vector<at::Tensor> draw_inputs(const Task& task, const Case& one, InputSet set, std::uint64_t seed,
                                    const Reference* reference) {
  const auto drawn = drawn_by_reference(task, reference, seed);
  std::vector<at::Tensor> inputs;
  for (const auto* tensor : arguments_of(task)) {
    const auto position = inputs.size();
    if (tensor->input.draw == Draw::reference) {
      inputs.push_back(drawn.at(position));
      continue;
    }
    const auto plan = plan_draw(*tensor, one.sizes);
    const auto random = stream_of(seed, position, set);
    const auto device = drawn_on(task, plan, reference);
    inputs.push_back(device.is_cpu() ? draw_tensor(plan, set, is_factorization(task), random)
                                     : draw_tensor_there(plan, set, random, device));
  }
  return inputs;
}

}  // namespace ridgeline::verifier
