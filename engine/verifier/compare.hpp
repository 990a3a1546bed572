// Compares a candidate's outputs with what they must be, under any contract but ByCheck. Choices are not
// known here: compare_outputs (choice.hpp) decides for any task, and calls this for the chosen outputs and
// for the others apart.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/verifier/expected.hpp"

namespace ridgeline::verifier {

struct Comparison {
  bool ok = true;
  Reason reason = Reason::none;  ///< wrong_values, wrong_count, not_quantized or lower_precision
  std::string detail;            ///< one line for people; empty when ok
  /// Where the first wrong output is wrong. Empty if `ok`, and if the failure is one without a place: an
  /// output has not the declared shape and dtype, calls are alike that should not be (compare_calls),
  /// compare_outputs decides without `compare`, or the part of a device's outputs that was brought back is
  /// right.
  std::optional<Mismatch> mismatch;
  std::vector<ErrorQuantiles> errors;  ///< floating and complex outputs under a tolerance
  std::vector<QuantizationDistance> quantization;
};

/// Compares `got` with `expected` for one case and input set, under the task's contract, which must not
/// be ByCheck. A choice is compared as any other output. `got` holds the out and inout tensors in the
/// order of parameters: contiguous, in the task's dtypes, on the CPU or (then together with all of
/// `expected`) on a device (on_device.hpp). A data-dependent output comes at full capacity: its count is
/// compared first, then only that many rows. NaN equals NaN, an infinity equals the same infinity, zeros of
/// either sign are equal.
Comparison compare(const Task& task, const Case& task_case, InputSet set, const Expected& expected,
                   const std::vector<at::Tensor>& got);

/// As `compare` for tensors on a device. Torch's operators pass outputs where they lie. What they do not pass
/// is copied to the CPU (on_device.hpp): if it was copied completely, the loops decide anew, since a rounding
/// tie may excuse an element; else the outputs are wrong, and the part says where. Works on the CPU too,
/// where tests hold it against the loops.
Comparison compare_by_operators(const Task& task, const Case& task_case, InputSet set,
                                const Expected& expected, const std::vector<at::Tensor>& got);

/// Compares calls of a statistical task whose seed inputs differ (seeds.hpp). They must not be correlated at
/// any shift. If `same_inputs`, they have no other input that differs; then they must also not return the
/// same values, nor have more values in common than two draws of the reference have, nor parts of one stream
/// (streams.hpp). `expected` belongs to the first call. There are at least two, and just two unless
/// `same_inputs`.
Comparison compare_calls(const Task& task, const Case& task_case, InputSet set, const Expected& expected,
                         const std::vector<std::vector<at::Tensor>>& calls, bool same_inputs = true);

}  // namespace ridgeline::verifier
