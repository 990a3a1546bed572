// Applies KernelBench's rule (verifier/faithful.hpp: five draws of inputs) to a candidate that failed ours.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <vector>

#include "engine/verifier/reference.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

inline constexpr int kPublicDraws = 5;  ///< trials of KernelBench's rule

/// Calls the candidate on inputs; returns its outputs, or nothing if the call failed.
using CallOn = std::function<std::optional<std::vector<at::Tensor>>(const std::vector<at::Tensor>& inputs)>;

/// Returns whether `call` is right on `draws` fresh draws, compared with the results of `reference` and its
/// weights. Throws what Reference::run throws.
bool passes_public_rule(PreparedTask& prepared, const PreparedCase& task_case,
                        const verifier::Reference& reference, int draws, const CallOn& call);

}  // namespace ridgeline::judge
