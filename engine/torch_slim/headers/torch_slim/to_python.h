// C++ values as Python objects: new references, for calls of Python's torch.
#pragma once

#include "torch_slim/options.h"
#include "torch_slim/scalar.h"

namespace torch_slim {

PyObject* to_python(bool value);
PyObject* to_python(int value);
PyObject* to_python(unsigned value);
PyObject* to_python(long value);
PyObject* to_python(long long value);
PyObject* to_python(unsigned long value);
PyObject* to_python(double value);
PyObject* to_python(const char* value);
PyObject* to_python(const c10::Scalar& value);
PyObject* to_python(c10::ScalarType type);
PyObject* to_python(c10::Device device);
PyObject* to_python(c10::MemoryFormat format);
PyObject* to_python(const at::Tensor& tensor);
PyObject* to_python(c10::IntArrayRef list);
PyObject* to_python(c10::ArrayRef<at::Tensor> list);
PyObject* none();

struct Keyword {
  const char* name;
  PyObject* value;
};

/// object.name(*arguments, **keywords); takes over the references of both lists.
PyObject* call(PyObject* object, const char* name, std::initializer_list<PyObject*> arguments,
               std::initializer_list<Keyword> keywords = {});

int64_t as_integer(PyObject* object);

}  // namespace torch_slim
