// derive_tolerance on a device where nothing is out of the ordinary: the oracle and the reference's own
// outputs are finite, and no response to a perturbation is a jump. Most outputs are like that, and then a
// tenth of the passes over them do, which is what counts where they have gigabytes.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "engine/verifier/on_device.hpp"

namespace ridgeline::verifier {

/// As derive_tolerance; empty where something is out of the ordinary. Of more elements than `Responses` keeps
/// in float64 the errors of the reference are those of a sample of 2^24, since they are one figure a binade,
/// and medians are of 31 numbers. On a CPU such a sample is of 2^22.
std::optional<Tolerances> derive_plainly(const Precision& precision, const at::Tensor& oracle,
                                         const at::Tensor& own, const Responses& responses,
                                         std::int64_t most);

}  // namespace ridgeline::verifier
