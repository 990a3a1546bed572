// Whether outputs are right: the hardened gate.
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

/// `got`: the out and inout tensors in the order of parameters, contiguous tensors in the task's dtypes, on
/// the CPU or, with all of `expected`, on a device (on_device.hpp), at full capacity where the size depends
/// on the data (then the count is compared first, and only that many rows). NaN equals NaN, an infinity
/// equals the same infinity, zeros of either sign are equal.
Comparison compare(const Task& task, const Case& one, InputSet set, const Expected& expected,
                   const std::vector<at::Tensor>& got);

/// Statistical tasks: results of two calls whose seed inputs differ must not be the same, nor have more
/// values in common than draws of the reference have: a window moved along one table is no second stream.
/// Outputs of 32 elements and more. `expected` is that of the first call.
Comparison compare_calls(const Task& task, const Case& one, InputSet set, const Expected& expected,
                         const std::vector<at::Tensor>& first, const std::vector<at::Tensor>& second);

}  // namespace ridgeline::verifier
