// What outputs must be for given inputs, and how far they may be off.
//
// Cacheable: everything here depends on (task, case, set, inputs) only, so the judge keeps it beside each
// secret input set. It costs six runs of the reference (float64; the task's dtype; four in float64 on inputs
// perturbed by some 2^-30, whose responses are the condition of each element); a quantized task three more, a
// statistical one `draw_count` instead. Memory: 24 bytes an output element beside the outputs themselves.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// Reference draws kept for a statistical task.
inline constexpr int draw_count = 15;

/// Runs of the reference that `expect` takes, of most contracts.
inline constexpr int runs_per_expectation = 6;

/// One entry an output (out and inout tensors, in the order of parameters) in every vector that is not empty.
/// Outputs whose size depends on the data are cut to the rows that the oracle counted.
struct Expected {
  std::vector<at::Tensor> oracle;  ///< float64, complex128, or the declared integer dtype
  /// Absolute, float64, > 0; infinite where the operator itself is undecided (see tolerance.hpp). Undefined
  /// tensors for integer outputs and under the contract exact, where equality is asked for.
  /// On a device, of many elements, float32, as is the scale.
  std::vector<at::Tensor> tolerance;
  std::vector<at::Tensor> scale;        ///< float64: magnitude that roundoff multiplies; undefined as above
  std::vector<at::Tensor> own;          ///< the reference in the task's own dtype
  std::vector<at::Tensor> unquantized;  ///< contract quantized: float64
  std::vector<double> tie_room;   ///< contract quantized: what one rounding tie may move an output element
  std::vector<at::Tensor> draws;  ///< contract statistical: [draw_count, shape…] float64
};

/// `inputs` as draw_inputs gives them; on a device (on_device.hpp), where everything then lies. On the CPU
/// outputs of `many` elements and more are derived by a device's operators too, which keep less beside each
/// other. Throws BadInput where the reference fails on them, returns other shapes than declared, or
/// mostly NaN on standard inputs, and OutOfMemory.
Expected expect(const Reference& reference, const Task& task, const Case& one, InputSet set,
                const std::vector<at::Tensor>& inputs, std::int64_t many = std::int64_t{1} << 25);

/// As `expect` by one run in float64, for inputs drawn as those that `known` was derived for: of each output
/// the tolerance of every element is the largest there, and the scale too. Empty where no such figure can
/// stand for all elements: another contract than elementwise, an element that is undecided, or tolerances so
/// uneven that the largest would let lower precision pass elsewhere.
std::optional<Expected> expect_alike(const Reference& reference, const Task& task, const Case& one,
                                     const std::vector<at::Tensor>& inputs, const Expected& known);

/// `own` alone, one run: what a public rule looks at (faithful.hpp).
Expected expect_own(const Reference& reference, const Task& task, const Case& one,
                    const std::vector<at::Tensor>& inputs);

}  // namespace ridgeline::verifier
