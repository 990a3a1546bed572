// Compares tensors on the GPU that holds them. Torch's operators do there what loops of engine/verifier do on
// the CPU.
//
// Copying outputs of tens of megabytes to the CPU takes longer than comparing them on the GPU. So outputs
// that pass are compared on the device, and only figures (errors over tolerances, distances of quantized
// outputs) are copied. Outputs that do not pass are copied to the CPU. It decides about complete copies, and
// says what is wrong and where. Both ways give the same figures for the same numbers; tests compare them on
// the CPU, where the operators run too.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "engine/core/task.hpp"
#include "engine/verifier/compare.hpp"
#include "engine/verifier/expected.hpp"

namespace ridgeline::verifier {

/// Says whether inputs, expectations and outputs of `task` may stay on the device. The contracts Statistical,
/// UpToSign and ByCheck, a choice (engine/core/task.hpp) that a check judges, and complex numbers are judged
/// on the CPU only. A statistical choice is tested on the CPU, and the outputs beside it on the device.
bool judged_on_device(const Task& task);

/// Returns `inputs` on the device of `reference` if the task is judged there, else as they are.
std::vector<at::Tensor> moved_to_reference_device(const Reference& reference, const Task& task,
                                                  const std::vector<at::Tensor>& inputs);

/// Copies tensors to the CPU; undefined ones stay undefined.
std::vector<at::Tensor> to_cpu(const std::vector<at::Tensor>& tensors);
/// Copies expectations to the CPU, with tolerances and scales in float64.
Expected to_cpu(const Expected& expected);

/// The part of an output that is copied to the CPU to describe what is wrong with it. Small outputs are
/// copied completely; large ones from the row (along the first axis) of the first wrong element on, about
/// `most` elements. `task` declares the shapes of what was copied.
struct Excerpt {
  Task task;
  Expected expected;
  std::vector<at::Tensor> got;
  std::string part;  ///< "rows 5 to 9 of 'y'"; "" if everything was copied
};
Excerpt bring_to_cpu(const Task& task, const Expected& expected, const std::vector<at::Tensor>& got,
                     std::int64_t most = std::int64_t{1} << 20);

/// Compares the outputs of a case with the input set `set` on the device. Returns their figures if all
/// elements are within their tolerances. Empty otherwise; the CPU then decides, since a rounding tie may
/// excuse an element of a quantized output (quantization.hpp).
std::optional<Comparison> compare_on_device(const Task& task, const Case& task_case, InputSet set,
                                            const Expected& expected, const std::vector<at::Tensor>& got);

}  // namespace ridgeline::verifier
