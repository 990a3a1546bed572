// Checks that a reference computes something that a kernel's output can be compared with.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// Throws BadInput where less than a tenth of an output is finite on standard inputs: a kernel that computes
/// nothing would be as right as any other.
void require_finite_values(const Task& task, const Case& task_case, const std::vector<at::Tensor>& outputs);

/// Throws BadInput where two runs on the same inputs differ in any bit.
void require_repeatable(const Task& task, const Case& task_case, const std::vector<at::Tensor>& first,
                        const std::vector<at::Tensor>& second);

}  // namespace ridgeline::verifier
