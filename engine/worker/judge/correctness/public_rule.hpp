// Applies KernelBench's published rule (verifier/faithful.hpp) to a candidate that failed ours, so that a
// verdict can say whether it is right by that rule. Judge's thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <vector>

#include "engine/verifier/reference.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

inline constexpr int kPublicDraws = 5;  ///< draws of inputs on which KernelBench's rule wants it right

/// Calls the candidate on inputs, a module's weights among them; returns its outputs, or nothing if the call
/// failed.
using CallOn = std::function<std::optional<std::vector<at::Tensor>>(const std::vector<at::Tensor>& inputs)>;

/// Returns whether the outputs of `call` are right on each of `draws` fresh draws of the case's standard
/// inputs. The weights among the inputs, and the results to compare with, are those of `reference`. Stops at
/// the first draw that is not right. Throws what Reference::run throws.
bool passes_public_rule(PreparedTask& prepared, const PreparedCase& task_case,
                        const verifier::Reference& reference, int draws, const CallOn& call);

}  // namespace ridgeline::judge
