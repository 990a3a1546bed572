// KernelBench's rule (verifier/faithful.hpp: five draws of inputs), asked of a candidate that failed ours.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <vector>

#include "engine/verifier/reference.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

inline constexpr int kPublicDraws = 5;

/// What the candidate makes of inputs; nothing where its call failed.
using CallOn = std::function<std::optional<std::vector<at::Tensor>>(const std::vector<at::Tensor>& inputs)>;

/// Whether `call` is right on `draws` fresh draws, by what `reference` makes of them with its weights. Throws
/// as Reference::run.
bool passes_public_rule(PreparedTask& prepared, const PreparedCase& one, const verifier::Reference& reference,
                        int draws, const CallOn& call);

}  // namespace ridgeline::judge
