// Views raw argument buffers as tensors without copying them, and lists the tensors of a task by role.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// Returns torch's scalar type for `dtype`.
at::ScalarType scalar_type(DType dtype);

/// A contiguous CPU tensor over `data`, which it neither owns nor copies: the buffer must outlive it.
at::Tensor view_of(void* data, DType dtype, const std::vector<std::int64_t>& shape);
/// Views `data` in the shape that `tensor` has under `sizes`; a data-dependent output has its full capacity.
at::Tensor view_of(void* data, const Tensor& tensor, const Symbols& sizes);

/// The tensors that a reference reads (roles in and inout), in the order of parameters.
std::vector<const Tensor*> arguments_of(const Task& task);
/// The tensors that a reference returns (roles out and inout), in the order of parameters.
std::vector<const Tensor*> outputs_of(const Task& task);

}  // namespace ridgeline::verifier
