// C++ values as Python objects: new references, for calls of Python's torch.
#pragma once

#include "torch_slim/options.h"
#include "torch_slim/scalar.h"

namespace torch_slim __attribute__((visibility("hidden"))) {

  inline PyObject* to_python(bool value) {
    return PyBool_FromLong(value);
  }
  inline PyObject* to_python(int value) {
    return PyLong_FromLongLong(value);
  }
  inline PyObject* to_python(unsigned value) {
    return PyLong_FromLongLong(value);
  }
  inline PyObject* to_python(long value) {
    return PyLong_FromLongLong(value);
  }
  inline PyObject* to_python(long long value) {
    return PyLong_FromLongLong(value);
  }
  inline PyObject* to_python(unsigned long value) {
    return PyLong_FromUnsignedLongLong(value);
  }
  inline PyObject* to_python(double value) {
    return PyFloat_FromDouble(value);
  }
  inline PyObject* to_python(const char* value) {
    return checked(PyUnicode_FromString(value));
  }
  inline PyObject* to_python(const c10::Scalar& value) {
    return value.isBoolean()         ? to_python(value.toBool())
           : value.isFloatingPoint() ? to_python(value.toDouble())
                                     : to_python(value.toLong());
  }
  inline PyObject* to_python(c10::ScalarType type) {
    PyObject* const dtype = Dtypes::get().object(type);
    Py_IncRef(dtype);
    return dtype;
  }
  inline PyObject* to_python(c10::Device device) {
    return to_python(text(device).c_str());
  }
  inline PyObject* to_python(c10::MemoryFormat format) {
    const char* const names[] = {"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"};
    return checked(PyObject_GetAttrString(torch_module(), names[static_cast<int>(format)]));
  }
  PyObject* to_python(const at::Tensor& tensor);
  template <class T>
  PyObject* to_python(c10::ArrayRef<T> list) {
    PyObject* const tuple = checked(PyTuple_New(Py_ssize_t(list.size())));
    for (size_t i = 0; i < list.size(); ++i) PyTuple_SetItem(tuple, Py_ssize_t(i), to_python(list[i]));
    return tuple;
  }
  inline PyObject* none() {
    Py_IncRef(Py_None);
    return Py_None;
  }

  struct Keyword {
    const char* name;
    PyObject* value;
  };

  /// object.name(*arguments, **keywords); takes over the references of both lists.
  inline PyObject* call(PyObject * object, const char* name, std::initializer_list<PyObject*> arguments,
                        std::initializer_list<Keyword> keywords = {}) {
    const Ref tuple(checked(PyTuple_New(Py_ssize_t(arguments.size()))));
    Py_ssize_t i = 0;
    for (PyObject* argument : arguments) PyTuple_SetItem(tuple.get(), i++, argument);
    Ref named;
    if (keywords.size() != 0) named = Ref(checked(PyDict_New()));
    for (const Keyword& keyword : keywords) {
      PyDict_SetItemString(named.get(), keyword.name, keyword.value);
      Py_DecRef(keyword.value);
    }
    const Ref method(checked(PyObject_GetAttrString(object, name)));
    return checked(PyObject_Call(method.get(), tuple.get(), named.get()));
  }

}  // namespace torch_slim
