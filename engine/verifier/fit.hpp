// Fits a reference's outputs to what the task declares, and back.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// Checks `outputs`, as the reference returned them, against the declared kinds and shapes, and cuts those
/// whose size depends on the data to the rows that their count says. Integers are returned in the declared
/// dtype; floating and complex outputs too, or in float64 and complex128 if `wide`. Throws BadInput naming
/// task, case and output.
std::vector<at::Tensor> fit_outputs(const Task& task, const Case& task_case,
                                    const std::vector<at::Tensor>& outputs, bool wide);

/// Converts `outputs` to what a kernel would leave in memory: declared dtypes (integers rounded), declared
/// shapes, rows beyond the count poisoned.
std::vector<at::Tensor> as_written(const Task& task, const Case& task_case,
                                   const std::vector<at::Tensor>& outputs);

}  // namespace ridgeline::verifier
