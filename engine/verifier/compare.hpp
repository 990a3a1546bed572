// Compares a candidate's outputs with what they must be, for tasks without a choice whose contract is not
// ByCheck. compare_outputs (choice.hpp) decides for any task, and calls this for the parts that it can
// decide.
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

/// As `compare` for tensors on a device: torch's operators decide where the tensors lie, and what they refuse
/// is copied to the CPU (on_device.hpp). Works on the CPU too, where tests hold it against the loops.
Comparison compare_by_operators(const Task& task, const Case& task_case, InputSet set,
                                const Expected& expected, const std::vector<at::Tensor>& got);

/// Compares calls of a statistical task whose seed inputs differ (seeds.hpp). If there are more than two, no
/// other input may differ. They must not return the same values, nor have more values in common than two
/// draws of the reference have, nor parts of one stream, nor be correlated at any shift (streams.hpp).
/// `expected` belongs to the first call; there are at least two.
Comparison compare_calls(const Task& task, const Case& task_case, InputSet set, const Expected& expected,
                         const std::vector<std::vector<at::Tensor>>& calls);

}  // namespace ridgeline::verifier
