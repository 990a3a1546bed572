// Derives tolerances with torch's operators, wherever the tensors lie; tolerance.hpp states the formula.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/verifier/responses.hpp"
#include "engine/verifier/tolerance.hpp"

namespace ridgeline::verifier {

/// Tolerances and scales of one output, both in the dtype of its `Responses`.
struct Tolerances {
  at::Tensor tolerance, scale;
};
/// Derives tolerances by the formula of tolerance.hpp, for real tensors of one shape, `most` elements at a
/// time. May write over expendable responses.
Tolerances derive_tolerance(const Precision& precision, const at::Tensor& oracle, const at::Tensor& own,
                            const Responses& responses, std::int64_t most = kPieceElements);

}  // namespace ridgeline::verifier
