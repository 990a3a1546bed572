// What the tolerances of a quantized task need beside the formula of tolerance.hpp.
//
// Rounding hides how far an intermediate can be off. Perturbed by 2^-30, an input keeps its quantized value
// unless it lies near a tie, so the response of the quantized reference says nothing of what comes after the
// rounding. Layer normalization of a row of equal values divides differences of 0 by sqrt(eps): a mean that
// is off by one rounding gives 1e-4 in float32, and the reference itself gives 1e-13 in place of 0 on a GPU,
// where it adds up means of parts. Each element therefore gets the condition of the unquantized computation
// too, which the perturbations do reach.
#pragma once

#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// Fills `unquantized` and `tie_room` of `expected`, whose tolerances are derived already. Widens the
/// tolerance of elements that a value near a rounding tie reaches, and of those that are ill-conditioned
/// without quantization. `wide` holds the inputs in float64. Runs the reference twice and its unquantized
/// computation five times. Throws BadInput if that returns other shapes than the reference.
void add_quantized_room(Expected& expected, const Reference& reference, const Task& task,
                        const Case& task_case, InputSet set, const std::vector<at::Tensor>& wide);

}  // namespace ridgeline::verifier
