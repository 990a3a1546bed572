// Decides whether two tensors are as near as a public suite's rule demands: torch.allclose, in the way in
// which that suite calls it.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/core/dtype.hpp"

namespace ridgeline::verifier {

struct Closeness {
  double tolerance = 0;          ///< both absolute and relative
  bool exact = false;            ///< values must be equal (NaN equals NaN); tolerance is ignored
  bool nan_equals_nan = true;    ///< when a tolerance applies
  bool relative_to_got = false;  ///< as torch.allclose(expected, got) does: it scales by its second argument
  /// Whether distance and room are rounded to the tensors' dtype, as torch.allclose does; else float64.
  bool in_own_dtype = false;
};

/// Compares `got` with `own`, two contiguous tensors of one shape and of `dtype`, both on the CPU or both on
/// one device.
bool all_close(const Closeness& rule, DType dtype, const at::Tensor& got, const at::Tensor& own);

/// Does the same with torch's operators, wherever the tensors lie; complex numbers are not supported.
bool all_close_by_operators(const Closeness& rule, const at::Tensor& got, const at::Tensor& own);

}  // namespace ridgeline::verifier
