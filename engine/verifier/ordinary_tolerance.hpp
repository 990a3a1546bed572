// Derives tolerances on a device for ordinary outputs: oracle and own outputs are finite, and no response to
// a perturbation is a jump. Most outputs are ordinary, and need a tenth of the passes over memory, which
// decides the time where they have gigabytes.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "engine/verifier/tolerance_on_device.hpp"

namespace ridgeline::verifier {

/// Does what derive_tolerance does, `most` elements at a time; empty where an output is not ordinary. For
/// more elements than `Responses` keeps in float64, the reference's errors are those of a sample of 2^24
/// elements (2^22 on a CPU), since they are one figure a binade, and medians are taken over 31 numbers.
/// Writes them over expendable responses of so many elements.
std::optional<Tolerances> derive_ordinary_tolerance(const Precision& precision, const at::Tensor& oracle,
                                                    const at::Tensor& own, const Responses& responses,
                                                    std::int64_t most);

}  // namespace ridgeline::verifier
