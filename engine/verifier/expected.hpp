// Derives what outputs must be for given inputs, and how far they may be off.
//
// Everything here depends on (task, case, set, inputs) only, so the judge caches it beside each secret input
// set. It costs six runs of the reference: one in float64, one in the task's dtype, four in float64 on
// inputs perturbed by about 2^-30, whose responses are the condition of each element. A quantized task takes
// seven more (quantized_room.hpp), a statistical one `draw_count` instead, and one with a choice (choice.hpp)
// both. Memory: 24 bytes an output element beside the outputs themselves.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/reference.hpp"
#include "engine/verifier/slices.hpp"

namespace ridgeline::verifier {

/// Draws of the reference that are kept for a statistical task.
inline constexpr int draw_count = 15;

/// Runs of the reference that one `expect` makes under most contracts.
inline constexpr int runs_per_expectation = 6;

/// The expectations of one case and input set. Every vector that is not empty has one entry an output (out
/// and inout tensors, in the order of parameters). Outputs whose size depends on the data are cut to the
/// rows that the oracle counted.
struct Expected {
  std::vector<at::Tensor> oracle;  ///< float64, complex128, or the declared integer dtype
  /// Absolute tolerance, float64, > 0; infinite where the operator itself is undecided (see tolerance.hpp).
  /// Undefined tensors for integer outputs and under the contract exact, which asks for equality. Large
  /// outputs on a device have it in float32, and the scale too.
  std::vector<at::Tensor> tolerance;
  std::vector<at::Tensor> scale;  ///< float64: the magnitude that roundoff multiplies; undefined as above
  std::vector<at::Tensor> own;    ///< the reference in the task's own dtype
  std::vector<at::Tensor> unquantized;  ///< contract quantized: float64
  std::vector<double> tie_room;         ///< contract quantized: how far one rounding tie may move an element
  /// Contract statistical: [draw_count, shape…] on the CPU, float64, or bool where the reference draws bools.
  /// Undefined for outputs beside a random choice.
  std::vector<at::Tensor> draws;
  SlicePlan slice_plan;  ///< how runs for these inputs were cut, and may be cut again
};

/// Elements of an output from which on a CPU derives expectations by torch's operators too.
inline constexpr std::int64_t derived_by_operators = std::int64_t{1} << 25;

/// Derives the expectations for `inputs`, which come from draw_inputs; inputs on a device (on_device.hpp)
/// give expectations there. On the CPU, outputs with at least `many` elements are derived by torch's
/// operators too, since those keep less memory at once. `slice`: runs are cut into slices of so many elements
/// where that is proved to change nothing (slices.hpp); 0: never. Throws BadInput where the reference fails,
/// returns other shapes than declared, or returns mostly NaN on standard inputs; throws OutOfMemory.
Expected expect(const Reference& reference, const Task& task, const Case& task_case, InputSet set,
                const std::vector<at::Tensor>& inputs, std::int64_t many = derived_by_operators,
                std::int64_t slice = 0);

/// Derives expectations with a single run in float64, for inputs drawn like those that `known` was derived
/// for. Each element of an output gets the largest tolerance and the largest scale in `known`. Empty where
/// one figure cannot stand for all elements: a contract other than elementwise, an undecided element, or
/// tolerances so uneven that the largest would let lower precision pass elsewhere.
std::optional<Expected> expect_alike(const Reference& reference, const Task& task, const Case& task_case,
                                     const std::vector<at::Tensor>& inputs, const Expected& known);

/// Fills `own` only, with one run: what a public suite's rule compares with (faithful.hpp).
Expected expect_own(const Reference& reference, const Task& task, const Case& task_case,
                    const std::vector<at::Tensor>& inputs);

}  // namespace ridgeline::verifier
