// New tensors: calls of Python's torch. As in C++, a tensor lands on the CPU unless the options say
// otherwise, whatever default device Python code has set.
#pragma once

#include "torch_slim/operators.h"

namespace at {

#define TORCH_SLIM_FACTORY(name)                                    \
  Tensor name(IntArrayRef size, const TensorOptions& options = {}); \
  Tensor name##_like(const Tensor& x, const TensorOptions& options = {});
TORCH_SLIM_FACTORY(empty)
TORCH_SLIM_FACTORY(zeros)
TORCH_SLIM_FACTORY(ones)
TORCH_SLIM_FACTORY(rand)
TORCH_SLIM_FACTORY(randn)
#undef TORCH_SLIM_FACTORY

Tensor full(IntArrayRef size, const Scalar& value, const TensorOptions& options = {});
Tensor full_like(const Tensor& x, const Scalar& value, const TensorOptions& options = {});
Tensor empty_strided(IntArrayRef size, IntArrayRef stride, const TensorOptions& options = {});
Tensor arange(const Scalar& end, const TensorOptions& options = {});
Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& options = {});

}  // namespace at
