// A reference's outputs against what the task declares.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// `outputs` as the reference returned them, checked against the declared kinds and shapes; those whose size
/// depends on the data are cut to the rows that their count says. Integers come in the declared dtype;
/// floating and complex ones too, or, if `wide`, in float64 and complex128. Throws BadInput naming task, case
/// and output.
std::vector<at::Tensor> fit_outputs(const Task& task, const Case& one, const std::vector<at::Tensor>& outputs,
                                    bool wide);

/// The other way: `outputs` as a kernel would leave them, in the declared dtypes (integers rounded) and
/// shapes, rows beyond the count poisoned.
std::vector<at::Tensor> as_written(const Task& task, const Case& one, const std::vector<at::Tensor>& outputs);

}  // namespace ridgeline::verifier
