// Large inputs drawn on the device on which they will lie: bringing gigabytes there takes longer than all the
// rest. The same distributions as on the CPU, not the same bits.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/core/mismatch.hpp"
#include "engine/verifier/draw.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// The device on which a tensor of this plan is drawn: that of `reference`, where the task is judged there
/// and the tensor is large and of independent numbers; else the CPU.
at::Device drawn_on(const Task& task, const DrawPlan& plan, const Reference* reference);

/// `count` elements, flat, of a standard draw, on `device`; of `outlier` with outliers. Sets torch's
/// generators.
at::Tensor draw_there(const DrawPlan& plan, InputSet set, const Random& random, std::int64_t count,
                      at::Device device);

/// A whole tensor of any set. Edges stand in its first rows, as many as fit into 64 MiB.
at::Tensor draw_tensor_there(const DrawPlan& plan, InputSet set, const Random& random, at::Device device);

}  // namespace ridgeline::verifier
