#include "engine/verifier/meaningful.hpp"

#include <ATen/ops/isfinite.h>
#include <fmt/format.h>

#include <cstring>

#include "engine/core/error.hpp"
#include "engine/verifier/buffers.hpp"

namespace ridgeline::verifier {

// One finite element in ten is enough: losses and masked outputs are mostly infinite by design.
void require_finite_values(const Task& task, const Case& task_case, const std::vector<at::Tensor>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& output = outputs[i];
    if (!output.is_floating_point() && !output.is_complex()) continue;
    const auto finite = at::isfinite(output).sum().item<std::int64_t>();
    if (10 * finite >= output.numel()) continue;
    throw BadInput(fmt::format(
        "task '{}', case '{}', standard inputs: {} of {} elements of '{}' are NaN or infinite in "
        "the reference, so any "
        "kernel is as right as another: draw inputs that the operator is defined for",
        task.name, task_case.name, output.numel() - finite, output.numel(), outputs_of(task)[i]->name));
  }
}

void require_repeatable(const Task& task, const Case& task_case, const std::vector<at::Tensor>& first,
                        const std::vector<at::Tensor>& second) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto& a = first[i];
    const auto& b = second[i];
    // Bytes are compared, so that equal NaN count as equal.
    if (a.sizes() == b.sizes() && std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0)
      continue;
    throw BadInput(
        fmt::format("task '{}', case '{}': two runs of the reference on the same inputs differ in '{}': it "
                    "draws random numbers or "
                    "reads memory that nothing wrote (torch.empty); take the numbers as an input",
                    task.name, task_case.name, outputs_of(task)[i]->name));
  }
}

}  // namespace ridgeline::verifier
