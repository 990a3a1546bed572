// How near two tensors must be by a public suite's rule: torch.allclose in the form that the suite calls it.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/core/dtype.hpp"

namespace ridgeline::verifier {

struct Closeness {
  double tolerance = 0;          ///< absolute and relative
  bool exact = false;            ///< equal, NaN to NaN, and no tolerance
  bool nan_equals_nan = true;    ///< where there is one
  bool relative_to_got = false;  ///< torch.allclose(expected, got) takes the second's magnitude
};

/// `got` and `own` of one shape and of `dtype`, contiguous, both on the CPU or both on a device.
bool all_close(const Closeness& rule, DType dtype, const at::Tensor& got, const at::Tensor& own);

/// The same in operators of torch, wherever the tensors lie; not of complex numbers.
bool all_close_by_operators(const Closeness& rule, const at::Tensor& got, const at::Tensor& own);

}  // namespace ridgeline::verifier
