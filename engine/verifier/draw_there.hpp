// Draws inputs on the device on which they will lie, since copying gigabytes there takes longer than all
// other work on them. The distributions are those of the CPU's draws; the bits are not. All of it seeds
// torch's generators.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/core/mismatch.hpp"
#include "engine/verifier/draw.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// Chooses the device on which a tensor of this plan is drawn: the device of `reference` if the task is
/// judged there and the tensor is large and of independent numbers; otherwise the CPU.
at::Device device_for_drawing(const Task& task, const DrawPlan& plan, const Reference* reference);

/// Draws `count` elements, flat, on `device`; with outliers if `set` is `outlier`.
at::Tensor draw_on_device(const DrawPlan& plan, InputSet set, const Random& random, std::int64_t count,
                          at::Device device);

/// Draws a whole tensor of any input set. Edge values stand in its first rows, as many as fit into 64 MiB.
at::Tensor draw_tensor_on_device(const DrawPlan& plan, InputSet set, const Random& random, at::Device device);

/// Draws a whole tensor of a sorted, permutation or probabilities distribution on `device`.
at::Tensor draw_rows_on_device(const DrawPlan& plan, const Random& random, at::Device device);

}  // namespace ridgeline::verifier
