// Arithmetic on tensors and the functions that mirror Python's torch: each a call of it.
#pragma once

#include "torch_slim/tensor.h"

namespace torch_slim __attribute__((visibility("hidden"))) {
  inline PyObject* to_python(const at::Tensor& tensor) {
    PyObject* const object = tensor.defined() ? tensor.object() : Py_None;
    Py_IncRef(object);
    return object;
  }
  inline at::Tensor torch_call(const char* name, std::initializer_list<PyObject*> arguments,
                               std::initializer_list<Keyword> keywords = {}) {
    return at::Tensor::owning(call(torch_module(), name, arguments, keywords));
  }
}  // namespace torch_slim

namespace at {

inline bool Tensor::is_contiguous(MemoryFormat format) const {
  return format == MemoryFormat::Contiguous
             ? is_contiguous()
             : PyObject_IsTrue(
                   torch_slim::Ref(torch_slim::call(facts().object(), "is_contiguous", {},
                                                    {{"memory_format", torch_slim::to_python(format)}}))
                       .get()) == 1;
}

#define TORCH_SLIM_OPERATOR(op, name, reverse)                  \
  inline Tensor operator op(const Tensor& a, const Tensor& b) { \
    return a.name(b);                                           \
  }                                                             \
  inline Tensor operator op(const Tensor& a, const Scalar& b) { \
    return a.name(b);                                           \
  }                                                             \
  inline Tensor operator op(const Scalar& a, const Tensor& b) { \
    return b.call(reverse, {torch_slim::to_python(a)});         \
  }
TORCH_SLIM_OPERATOR(+, add, "__radd__")
TORCH_SLIM_OPERATOR(-, sub, "__rsub__")
TORCH_SLIM_OPERATOR(*, mul, "__rmul__")
TORCH_SLIM_OPERATOR(/, div, "__rtruediv__")
#undef TORCH_SLIM_OPERATOR
inline Tensor operator-(const Tensor& a) {
  return a.neg();
}

#define TORCH_SLIM_UNARY(name)          \
  inline Tensor name(const Tensor& x) { \
    return x.name();                    \
  }
#include "torch_slim/unary.h"
#undef TORCH_SLIM_UNARY
#define TORCH_SLIM_BINARY(name)                          \
  inline Tensor name(const Tensor& a, const Tensor& b) { \
    return a.name(b);                                    \
  }
TORCH_SLIM_BINARY(add)
TORCH_SLIM_BINARY(sub)
TORCH_SLIM_BINARY(mul)
TORCH_SLIM_BINARY(div)
TORCH_SLIM_BINARY(matmul)
TORCH_SLIM_BINARY(mm)
TORCH_SLIM_BINARY(bmm)
#undef TORCH_SLIM_BINARY
inline Tensor sum(const Tensor& x) {
  return x.sum();
}
inline Tensor mean(const Tensor& x) {
  return x.mean();
}
inline Tensor cumsum(const Tensor& x, int64_t dim) {
  return x.call("cumsum", {torch_slim::to_python(dim)});
}
inline Tensor clamp(const Tensor& x, const Scalar& low, const Scalar& high) {
  return x.call("clamp", {torch_slim::to_python(low), torch_slim::to_python(high)});
}
inline Tensor cat(TensorList tensors, int64_t dim = 0) {
  return torch_slim::torch_call("cat", {torch_slim::to_python(tensors), torch_slim::to_python(dim)});
}
inline Tensor stack(TensorList tensors, int64_t dim = 0) {
  return torch_slim::torch_call("stack", {torch_slim::to_python(tensors), torch_slim::to_python(dim)});
}

}  // namespace at

namespace torch_slim __attribute__((visibility("hidden"))) {
  inline Text& operator<<(Text& out, const at::Tensor& tensor) {
    const Ref words(checked(PyObject_Str(tensor.defined() ? tensor.object() : Py_None)));
    return out << PyUnicode_AsUTF8AndSize(words.get(), nullptr);
  }
}  // namespace torch_slim
