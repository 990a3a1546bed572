// Arithmetic on tensors and the functions that mirror Python's torch: each a call of it.
#pragma once

#include "torch_slim/tensor.h"

namespace torch_slim {
/// torch.name(*arguments, **keywords); takes over the references of both lists.
at::Tensor torch_call(const char* name, std::initializer_list<PyObject*> arguments,
                      std::initializer_list<Keyword> keywords = {});
}  // namespace torch_slim

namespace at {

#define TORCH_SLIM_OPERATOR(op)                         \
  Tensor operator op(const Tensor& a, const Tensor& b); \
  Tensor operator op(const Tensor& a, const Scalar& b); \
  Tensor operator op(const Scalar& a, const Tensor& b);
TORCH_SLIM_OPERATOR(+)
TORCH_SLIM_OPERATOR(-)
TORCH_SLIM_OPERATOR(*)
TORCH_SLIM_OPERATOR(/)
#undef TORCH_SLIM_OPERATOR
Tensor operator-(const Tensor& a);

#define TORCH_SLIM_BINARY(name) Tensor name(const Tensor& a, const Tensor& b);
#define TORCH_SLIM_PRODUCT(name) Tensor name(const Tensor& a, const Tensor& b);
#define TORCH_SLIM_UNARY(name) Tensor name(const Tensor& x);
#define TORCH_SLIM_REDUCTION(name) Tensor name(const Tensor& x);
#include "torch_slim/operations.h"
inline Device device_of(const Tensor& x) {
  return x.device();
}
Tensor cumsum(const Tensor& x, int64_t dim);
Tensor clamp(const Tensor& x, const Scalar& low, const Scalar& high);
Tensor cat(TensorList tensors, int64_t dim = 0);
Tensor stack(TensorList tensors, int64_t dim = 0);

}  // namespace at
