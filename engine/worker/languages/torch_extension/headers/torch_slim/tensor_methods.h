// Inside class Tensor: calls of Python's method of the same name.
Tensor call(const char* name, std::initializer_list<PyObject*> arguments = {},
            std::initializer_list<torch_slim::Keyword> keywords = {}) const {
  Tensor made = owning(torch_slim::call(facts().object(), name, arguments, keywords));
  if (name[std::strlen(name) - 1] == '_') facts_->forget();
  return made;
}
const Tensor& changed(const char* name, std::initializer_list<PyObject*> arguments = {}) const {
  call(name, arguments);
  return *this;
}

Tensor contiguous() const {
  return is_contiguous() ? *this : call("contiguous");
}
Tensor contiguous(MemoryFormat format) const {
  return call("contiguous", {}, {{"memory_format", torch_slim::to_python(format)}});
}
Tensor clone() const {
  return call("clone");
}
Tensor detach() const {
  return call("detach");
}
Tensor cuda() const {
  return call("cuda");
}
Tensor cpu() const {
  return call("cpu");
}
Tensor to(ScalarType type) const {
  return call("to", {torch_slim::to_python(type)});
}
Tensor to(Device device) const {
  return call("to", {torch_slim::to_python(device)});
}
Tensor to(DeviceType type) const {
  return to(Device(type));
}
Tensor to(Device device, ScalarType type) const {
  return call("to", {torch_slim::to_python(device), torch_slim::to_python(type)});
}
Tensor to(const TensorOptions& options) const {
  if (!options.has_device()) return options.has_dtype() ? to(options.dtype().toScalarType()) : *this;
  return options.has_dtype() ? to(options.device(), options.dtype().toScalarType()) : to(options.device());
}
Tensor toType(ScalarType type) const {
  return to(type);
}

Tensor view(IntArrayRef shape) const {
  return call("view", {torch_slim::to_python(shape)});
}
Tensor reshape(IntArrayRef shape) const {
  return call("reshape", {torch_slim::to_python(shape)});
}
Tensor expand(IntArrayRef shape) const {
  return call("expand", {torch_slim::to_python(shape)});
}
Tensor permute(IntArrayRef order) const {
  return call("permute", {torch_slim::to_python(order)});
}
Tensor repeat(IntArrayRef times) const {
  return call("repeat", {torch_slim::to_python(times)});
}
Tensor view_as(const Tensor& other) const {
  return view(other.sizes());
}
Tensor reshape_as(const Tensor& other) const {
  return reshape(other.sizes());
}
Tensor expand_as(const Tensor& other) const {
  return expand(other.sizes());
}
Tensor flatten(int64_t from = 0, int64_t to = -1) const {
  return call("flatten", {torch_slim::to_python(from), torch_slim::to_python(to)});
}
Tensor squeeze() const {
  return call("squeeze");
}
Tensor squeeze(int64_t dim) const {
  return call("squeeze", {torch_slim::to_python(dim)});
}
Tensor unsqueeze(int64_t dim) const {
  return call("unsqueeze", {torch_slim::to_python(dim)});
}
Tensor t() const {
  return call("t");
}
Tensor transpose(int64_t a, int64_t b) const {
  return call("transpose", {torch_slim::to_python(a), torch_slim::to_python(b)});
}
Tensor select(int64_t dim, int64_t index) const {
  return call("select", {torch_slim::to_python(dim), torch_slim::to_python(index)});
}
Tensor narrow(int64_t dim, int64_t from, int64_t length) const {
  return call("narrow",
              {torch_slim::to_python(dim), torch_slim::to_python(from), torch_slim::to_python(length)});
}
Tensor operator[](int64_t index) const {
  return select(0, index);
}
/// By whole numbers only; slices and masks need the full headers.
Tensor index(std::initializer_list<int64_t> indices) const {
  const torch_slim::Ref key(torch_slim::to_python(IntArrayRef(indices)));
  return owning(torch_slim::checked(PyObject_GetItem(facts().object(), key.get())));
}

const Tensor& zero_() const {
  return changed("zero_");
}
const Tensor& fill_(const Scalar& value) const {
  return changed("fill_", {torch_slim::to_python(value)});
}
const Tensor& copy_(const Tensor& from) const {
  return changed("copy_", {torch_slim::to_python(from)});
}
#define TORCH_SLIM_BINARY(name)                                \
  Tensor name(const Tensor& other) const {                     \
    return call(#name, {torch_slim::to_python(other)});        \
  }                                                            \
  Tensor name(const Scalar& other) const {                     \
    return call(#name, {torch_slim::to_python(other)});        \
  }                                                            \
  const Tensor& name##_(const Tensor& other) const {           \
    return changed(#name "_", {torch_slim::to_python(other)}); \
  }                                                            \
  const Tensor& name##_(const Scalar& other) const {           \
    return changed(#name "_", {torch_slim::to_python(other)}); \
  }
TORCH_SLIM_BINARY(add)
TORCH_SLIM_BINARY(sub)
TORCH_SLIM_BINARY(mul)
TORCH_SLIM_BINARY(div)
#undef TORCH_SLIM_BINARY
const Tensor& operator+=(const Tensor& other) const {
  return add_(other);
}
const Tensor& operator-=(const Tensor& other) const {
  return sub_(other);
}
const Tensor& operator*=(const Tensor& other) const {
  return mul_(other);
}
const Tensor& operator/=(const Tensor& other) const {
  return div_(other);
}
Tensor matmul(const Tensor& other) const {
  return call("matmul", {torch_slim::to_python(other)});
}
Tensor mm(const Tensor& other) const {
  return call("mm", {torch_slim::to_python(other)});
}
Tensor bmm(const Tensor& other) const {
  return call("bmm", {torch_slim::to_python(other)});
}

#define TORCH_SLIM_UNARY(name)    \
  Tensor name() const {           \
    return call(#name);           \
  }                               \
  const Tensor& name##_() const { \
    return changed(#name "_");    \
  }
#include "torch_slim/unary.h"
#undef TORCH_SLIM_UNARY

#define TORCH_SLIM_REDUCTION(name)                                                     \
  Tensor name() const {                                                                \
    return call(#name);                                                                \
  }                                                                                    \
  Tensor name(IntArrayRef dims, bool keepdim = false) const {                          \
    return call(#name, {torch_slim::to_python(dims), torch_slim::to_python(keepdim)}); \
  }                                                                                    \
  Tensor name(int64_t dim, bool keepdim = false) const {                               \
    return name(IntArrayRef(dim), keepdim);                                            \
  }                                                                                    \
  Tensor name(int dim, bool keepdim = false) const {                                   \
    return name(int64_t{dim}, keepdim);                                                \
  }
TORCH_SLIM_REDUCTION(sum)
TORCH_SLIM_REDUCTION(mean)
#undef TORCH_SLIM_REDUCTION
Tensor max() const {
  return call("max");
}
Tensor min() const {
  return call("min");
}

Scalar item() const {
  const torch_slim::Ref value(facts().called(TORCH_SLIM_PY("item")));
  if (torch_slim::is_float(value.get())) return Scalar(PyFloat_AsDouble(value.get()));
  if (reinterpret_cast<PyTypeObject*>(value.get()->ob_type) == &PyBool_Type)
    return Scalar(PyObject_IsTrue(value.get()) == 1);
  return Scalar(torch_slim::as_integer(value.get()));
}
template <class T>
T item() const {
  return item().to<T>();
}
