#include "torch_slim/factories.h"

#include "torch_slim/runtime/tensor_facts.h"

namespace torch_slim {
namespace {

enum class Like { no, yes };

/// torch.name(*arguments, dtype=…, device=…, …); takes over the references.
at::Tensor created(const char* name, std::initializer_list<PyObject*> arguments,
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

}  // namespace
}  // namespace torch_slim

namespace at {

using torch_slim::created;
using torch_slim::Like;
using torch_slim::to_python;

#define TORCH_SLIM_FACTORY(name)                                       \
  Tensor name(IntArrayRef size, const TensorOptions& options) {        \
    return created(#name, {to_python(size)}, options);                 \
  }                                                                    \
  Tensor name##_like(const Tensor& x, const TensorOptions& options) {  \
    return created(#name "_like", {to_python(x)}, options, Like::yes); \
  }
TORCH_SLIM_FACTORY(empty)
TORCH_SLIM_FACTORY(zeros)
TORCH_SLIM_FACTORY(ones)
TORCH_SLIM_FACTORY(rand)
TORCH_SLIM_FACTORY(randn)
#undef TORCH_SLIM_FACTORY

Tensor full(IntArrayRef size, const Scalar& value, const TensorOptions& options) {
  return created("full", {to_python(size), to_python(value)}, options);
}
Tensor full_like(const Tensor& x, const Scalar& value, const TensorOptions& options) {
  return created("full_like", {to_python(x), to_python(value)}, options, Like::yes);
}
Tensor empty_strided(IntArrayRef size, IntArrayRef stride, const TensorOptions& options) {
  return created("empty_strided", {to_python(size), to_python(stride)}, options);
}
Tensor arange(const Scalar& end, const TensorOptions& options) {
  return created("arange", {to_python(end)}, options);
}
Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& options) {
  return created("arange", {to_python(start), to_python(end)}, options);
}

}  // namespace at
