#include "engine/verifier/inputs.hpp"

#include <ATen/ops/empty.h>

#include "engine/core/error.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/draw.hpp"
#include "engine/verifier/draw_tensor.hpp"
#include "engine/verifier/draw_there.hpp"
#include "engine/verifier/edge.hpp"

namespace ridgeline::verifier {

std::vector<at::Tensor> draw_inputs(const Task& task, const Case& task_case, InputSet set, std::uint64_t seed,
                                    const Reference* reference) {
  const auto drawn = drawn_by_reference(task, reference, seed);
  std::vector<at::Tensor> inputs;
  for (const auto* tensor : arguments_of(task)) {
    const auto position = inputs.size();
    if (tensor->input.draw == Draw::reference) {
      inputs.push_back(drawn.at(position));
      continue;
    }
    const auto plan = plan_draw(*tensor, task_case.sizes);
    const auto random = stream_of(seed, position, set);
    const auto device = device_for_drawing(task, plan, reference);
    inputs.push_back(device.is_cpu() ? draw_tensor(plan, set, is_factorization(task), random)
                                     : draw_tensor_on_device(plan, set, random, device));
  }
  return inputs;
}

}  // namespace ridgeline::verifier
