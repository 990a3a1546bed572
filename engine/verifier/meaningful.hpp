// Whether what a reference computes is something that a kernel's output can be compared with.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// Throws BadInput where less than a tenth of an output is finite on ordinary inputs: there a kernel
/// that computes nothing is as right as any.
void must_be_numbers(const Task& task, const Case& one, const std::vector<at::Tensor>& outputs);

/// Throws BadInput where two runs on the same inputs differ in a bit.
void must_agree(const Task& task, const Case& one, const std::vector<at::Tensor>& first,
                const std::vector<at::Tensor>& second);

}  // namespace ridgeline::verifier
