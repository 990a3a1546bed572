// Compares tensors on a GPU where they lie: it does with torch's operators what this room's loops do on the
// CPU.
//
// Bringing outputs of tens of megabytes back takes longer than comparing them there. So outputs that pass
// are compared on the device and only their figures come back; outputs that fail are brought to the CPU,
// which says what is wrong and where. Both give the same figures for the same numbers; tests hold them
// against each other on the CPU, where the operators run too.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "engine/core/task.hpp"
#include "engine/verifier/compare.hpp"
#include "engine/verifier/expected.hpp"

namespace ridgeline::verifier {

/// Says whether inputs, expectations and outputs of `task` may stay on the device. Statistical and
/// up-to-sign contracts, and complex numbers, are judged on the CPU only.
bool judged_on_device(const Task& task);

/// Moves `inputs` to the device of `reference` if the task is judged there.
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

/// Compares outputs on the device. Returns their figures if all elements are right; empty if one is wrong,
/// or if rounding ties must be weighed on the CPU.
std::optional<Comparison> compare_on_device(const Task& task, const Case& task_case, InputSet set,
                                            const Expected& expected, const std::vector<at::Tensor>& got);

}  // namespace ridgeline::verifier
