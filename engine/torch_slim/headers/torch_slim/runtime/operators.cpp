#include "torch_slim/operators.h"

namespace at {

using torch_slim::to_python;

Tensor Tensor::contiguous() const {
  return is_contiguous() ? *this : call("contiguous");
}
Tensor Tensor::contiguous(MemoryFormat format) const {
  return call("contiguous", {}, {{"memory_format", to_python(format)}});
}
Tensor Tensor::clone() const {
  return call("clone");
}
Tensor Tensor::detach() const {
  return call("detach");
}
Tensor Tensor::cuda() const {
  return call("cuda");
}
Tensor Tensor::cpu() const {
  return call("cpu");
}
Tensor Tensor::to(ScalarType type) const {
  return call("to", {to_python(type)});
}
Tensor Tensor::to(Device device) const {
  return call("to", {to_python(device)});
}
Tensor Tensor::to(DeviceType type) const {
  return to(Device(type));
}
Tensor Tensor::to(Device device, ScalarType type) const {
  return call("to", {to_python(device), to_python(type)});
}
Tensor Tensor::to(const TensorOptions& options) const {
  if (!options.has_device()) return options.has_dtype() ? to(options.dtype().toScalarType()) : *this;
  return options.has_dtype() ? to(options.device(), options.dtype().toScalarType()) : to(options.device());
}

Tensor Tensor::view(IntArrayRef shape) const {
  return call("view", {to_python(shape)});
}
Tensor Tensor::reshape(IntArrayRef shape) const {
  return call("reshape", {to_python(shape)});
}
Tensor Tensor::expand(IntArrayRef shape) const {
  return call("expand", {to_python(shape)});
}
Tensor Tensor::permute(IntArrayRef order) const {
  return call("permute", {to_python(order)});
}
Tensor Tensor::repeat(IntArrayRef times) const {
  return call("repeat", {to_python(times)});
}
Tensor Tensor::view_as(const Tensor& other) const {
  return view(other.sizes());
}
Tensor Tensor::reshape_as(const Tensor& other) const {
  return reshape(other.sizes());
}
Tensor Tensor::expand_as(const Tensor& other) const {
  return expand(other.sizes());
}
Tensor Tensor::flatten(int64_t from, int64_t to) const {
  return call("flatten", {to_python(from), to_python(to)});
}
Tensor Tensor::squeeze() const {
  return call("squeeze");
}
Tensor Tensor::squeeze(int64_t dim) const {
  return call("squeeze", {to_python(dim)});
}
Tensor Tensor::unsqueeze(int64_t dim) const {
  return call("unsqueeze", {to_python(dim)});
}
Tensor Tensor::t() const {
  return call("t");
}
Tensor Tensor::transpose(int64_t a, int64_t b) const {
  return call("transpose", {to_python(a), to_python(b)});
}
Tensor Tensor::select(int64_t dim, int64_t index) const {
  return call("select", {to_python(dim), to_python(index)});
}
Tensor Tensor::narrow(int64_t dim, int64_t from, int64_t length) const {
  return call("narrow", {to_python(dim), to_python(from), to_python(length)});
}
Tensor Tensor::slice(int64_t dim, int64_t from, int64_t to, int64_t step) const {
  wrapped(dim);
  const int64_t before = dim < 0 ? dim + this->dim() : dim;
  const torch_slim::Ref key(torch_slim::checked(PyTuple_New(before + 1)));
  for (int64_t i = 0; i < before; ++i) PyTuple_SetItem(key.get(), i, PySlice_New(nullptr, nullptr, nullptr));
  const torch_slim::Ref first(to_python(from)), last(to_python(to)), by(to_python(step));
  PyTuple_SetItem(key.get(), before, torch_slim::checked(PySlice_New(first.get(), last.get(), by.get())));
  return owning(torch_slim::checked(PyObject_GetItem(object(), key.get())));
}
Tensor Tensor::index(std::initializer_list<int64_t> indices) const {
  const torch_slim::Ref key(to_python(IntArrayRef(indices)));
  return owning(torch_slim::checked(PyObject_GetItem(object(), key.get())));
}

const Tensor& Tensor::zero_() const {
  return changed("zero_");
}
const Tensor& Tensor::fill_(const Scalar& value) const {
  return changed("fill_", {to_python(value)});
}
const Tensor& Tensor::copy_(const Tensor& from) const {
  return changed("copy_", {to_python(from)});
}
Tensor Tensor::max() const {
  return call("max");
}
Tensor Tensor::min() const {
  return call("min");
}
Tensor Tensor::var(bool unbiased) const {
  return call("var", {}, {{"unbiased", to_python(unbiased)}});
}
Tensor Tensor::var(IntArrayRef dims, bool unbiased, bool keepdim) const {
  return call("var", {to_python(dims), to_python(unbiased), to_python(keepdim)});
}
void Tensor::along(const char* name, int64_t dim, bool keepdim, Tensor& values, Tensor& indices) const {
  const torch_slim::Ref both(torch_slim::call(object(), name, {to_python(dim), to_python(keepdim)}));
  for (Tensor* part : {&values, &indices}) {
    PyObject* const item = torch_slim::checked(PyTuple_GetItem(both.get(), part == &values ? 0 : 1));
    Py_IncRef(item);
    *part = owning(item);
  }
}

#define TORCH_SLIM_BINARY(name)                              \
  Tensor Tensor::name(const Tensor& other) const {           \
    return call(#name, {to_python(other)});                  \
  }                                                          \
  Tensor Tensor::name(const Scalar& other) const {           \
    return call(#name, {to_python(other)});                  \
  }                                                          \
  const Tensor& Tensor::name##_(const Tensor& other) const { \
    return changed(#name "_", {to_python(other)});           \
  }                                                          \
  const Tensor& Tensor::name##_(const Scalar& other) const { \
    return changed(#name "_", {to_python(other)});           \
  }                                                          \
  Tensor name(const Tensor& a, const Tensor& b) {            \
    return a.name(b);                                        \
  }
#define TORCH_SLIM_UNARY(name)            \
  Tensor Tensor::name() const {           \
    return call(#name);                   \
  }                                       \
  const Tensor& Tensor::name##_() const { \
    return changed(#name "_");            \
  }                                       \
  Tensor name(const Tensor& x) {          \
    return x.name();                      \
  }
#define TORCH_SLIM_REDUCTION(name)                             \
  Tensor Tensor::name() const {                                \
    return call(#name);                                        \
  }                                                            \
  Tensor Tensor::name(IntArrayRef dims, bool keepdim) const {  \
    return call(#name, {to_python(dims), to_python(keepdim)}); \
  }                                                            \
  Tensor Tensor::name(int64_t dim, bool keepdim) const {       \
    return name(IntArrayRef(dim), keepdim);                    \
  }                                                            \
  Tensor name(const Tensor& x) {                               \
    return x.name();                                           \
  }
#define TORCH_SLIM_PRODUCT(name)                   \
  Tensor Tensor::name(const Tensor& other) const { \
    return call(#name, {to_python(other)});        \
  }                                                \
  Tensor name(const Tensor& a, const Tensor& b) {  \
    return a.name(b);                              \
  }
#include "torch_slim/operations.h"

#define TORCH_SLIM_OPERATOR(op, name, reverse)           \
  Tensor operator op(const Tensor& a, const Tensor& b) { \
    return a.name(b);                                    \
  }                                                      \
  Tensor operator op(const Tensor& a, const Scalar& b) { \
    return a.name(b);                                    \
  }                                                      \
  Tensor operator op(const Scalar& a, const Tensor& b) { \
    return b.call(reverse, {to_python(a)});              \
  }
TORCH_SLIM_OPERATOR(+, add, "__radd__")
TORCH_SLIM_OPERATOR(-, sub, "__rsub__")
TORCH_SLIM_OPERATOR(*, mul, "__rmul__")
TORCH_SLIM_OPERATOR(/, div, "__rtruediv__")
#undef TORCH_SLIM_OPERATOR
Tensor operator-(const Tensor& a) {
  return a.neg();
}

Tensor cumsum(const Tensor& x, int64_t dim) {
  return x.call("cumsum", {to_python(dim)});
}
Tensor clamp(const Tensor& x, const Scalar& low, const Scalar& high) {
  return x.call("clamp", {to_python(low), to_python(high)});
}
Tensor cat(TensorList tensors, int64_t dim) {
  return torch_slim::torch_call("cat", {to_python(tensors), to_python(dim)});
}
Tensor stack(TensorList tensors, int64_t dim) {
  return torch_slim::torch_call("stack", {to_python(tensors), to_python(dim)});
}

}  // namespace at

namespace torch_slim {
at::Tensor torch_call(const char* name, std::initializer_list<PyObject*> arguments,
                      std::initializer_list<Keyword> keywords) {
  return at::Tensor::owning(call(torch_module(), name, arguments, keywords));
}
}  // namespace torch_slim
