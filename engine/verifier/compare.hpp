// Compares a candidate's outputs with what they must be, under the contracts that need no script.
// compare_outputs (choice.hpp) decides under any contract, and calls this.
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
  Reason reason = Reason::none;        ///< wrong_values, wrong_count, not_quantized or lower_precision
  std::string detail;                  ///< one line for people; empty when ok
  std::optional<Mismatch> mismatch;    ///< the first output that is wrong
  std::vector<ErrorQuantiles> errors;  ///< floating and complex outputs under a tolerance
  std::vector<QuantizationDistance> quantization;
};

/// Compares `got` with `expected` for one case and input set. `got` holds the out and inout tensors in the
/// order of parameters: contiguous, in the task's dtypes, on the CPU or (then together with all of
/// `expected`) on a device (on_device.hpp). A data-dependent output comes at full capacity: its count is
/// compared first, then only that many rows. NaN equals NaN, an infinity equals the same infinity, zeros of
/// either sign are equal.
Comparison compare(const Task& task, const Case& task_case, InputSet set, const Expected& expected,
                   const std::vector<at::Tensor>& got);

/// Compares calls of a statistical task whose seed inputs differ (seeds.hpp), and no other input. They must
/// not return the same values, nor have more values in common than two draws of the reference have, nor parts
/// of one stream, nor be correlated at any shift (streams.hpp). `expected` belongs to the first call; there
/// are at least two.
Comparison compare_calls(const Task& task, const Case& task_case, InputSet set, const Expected& expected,
                         const std::vector<std::vector<at::Tensor>>& calls);

}  // namespace ridgeline::verifier
