// New tensors: calls of Python's torch. As in C++, a tensor lands on the CPU unless the options say
// otherwise, whatever default device Python code has set.
#pragma once

#include "torch_slim/operators.h"

namespace torch_slim __attribute__((visibility("hidden"))) {

  enum class Like { no, yes };

  /// torch.name(*arguments, dtype=…, device=…, …); takes over the references.
  inline at::Tensor created(const char* name, std::initializer_list<PyObject*> arguments,
                            const c10::TensorOptions& options, Like like = Like::no) {
    const Ref tuple(checked(PyTuple_New(Py_ssize_t(arguments.size()))));
    Py_ssize_t i = 0;
    for (PyObject* argument : arguments) PyTuple_SetItem(tuple.get(), i++, argument);
    const Ref keywords(checked(PyDict_New()));
    const auto put = [&](PyObject* key, PyObject* value) {
      PyDict_SetItem(keywords.get(), key, value);
      Py_DecRef(value);
    };
    if (options.has_dtype()) put(TORCH_SLIM_PY("dtype"), to_python(options.dtype().toScalarType()));
    if (options.has_device() || like == Like::no) put(TORCH_SLIM_PY("device"), to_python(options.device()));
    if (options.requires_grad()) put(TORCH_SLIM_PY("requires_grad"), to_python(true));
    if (options.pinned_memory()) put(TORCH_SLIM_PY("pin_memory"), to_python(true));
    if (options.has_memory_format()) put(TORCH_SLIM_PY("memory_format"), to_python(options.memory_format()));
    const Ref function(checked(PyObject_GetAttrString(torch_module(), name)));
    return at::Tensor::owning(checked(PyObject_Call(function.get(), tuple.get(), keywords.get())));
  }

}  // namespace torch_slim

namespace at {

#define TORCH_SLIM_FACTORY(name)                                                                           \
  inline Tensor name(IntArrayRef size, const TensorOptions& options = {}) {                                \
    return torch_slim::created(#name, {torch_slim::to_python(size)}, options);                             \
  }                                                                                                        \
  inline Tensor name##_like(const Tensor& x, const TensorOptions& options = {}) {                          \
    return torch_slim::created(#name "_like", {torch_slim::to_python(x)}, options, torch_slim::Like::yes); \
  }
TORCH_SLIM_FACTORY(empty)
TORCH_SLIM_FACTORY(zeros)
TORCH_SLIM_FACTORY(ones)
TORCH_SLIM_FACTORY(rand)
TORCH_SLIM_FACTORY(randn)
#undef TORCH_SLIM_FACTORY

inline Tensor full(IntArrayRef size, const Scalar& value, const TensorOptions& options = {}) {
  return torch_slim::created("full", {torch_slim::to_python(size), torch_slim::to_python(value)}, options);
}
inline Tensor full_like(const Tensor& x, const Scalar& value, const TensorOptions& options = {}) {
  return torch_slim::created("full_like", {torch_slim::to_python(x), torch_slim::to_python(value)}, options,
                             torch_slim::Like::yes);
}
inline Tensor empty_strided(IntArrayRef size, IntArrayRef stride, const TensorOptions& options = {}) {
  return torch_slim::created("empty_strided", {torch_slim::to_python(size), torch_slim::to_python(stride)},
                             options);
}
inline Tensor arange(const Scalar& end, const TensorOptions& options = {}) {
  return torch_slim::created("arange", {torch_slim::to_python(end)}, options);
}
inline Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& options = {}) {
  return torch_slim::created("arange", {torch_slim::to_python(start), torch_slim::to_python(end)}, options);
}

}  // namespace at
