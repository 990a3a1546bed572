// Raw argument buffers seen as tensors, and back.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

at::ScalarType scalar_type(DType dtype);

/// A contiguous CPU tensor over `data`, which it neither owns nor copies: the buffer must outlive it.
at::Tensor view_of(void* data, DType dtype, const std::vector<std::int64_t>& shape);
/// The same for a task's tensor in the shape it has under `sizes` (of a data-dependent output: its capacity).
at::Tensor view_of(void* data, const Tensor& tensor, const Symbols& sizes);

/// The task's tensors that a reference takes (in, inout) and returns (out, inout), in the order of
/// parameters.
std::vector<const Tensor*> arguments_of(const Task& task);
std::vector<const Tensor*> outputs_of(const Task& task);

}  // namespace ridgeline::verifier
