#include "torch_slim/to_python.h"

#include "torch_slim/tensor.h"

namespace torch_slim {
namespace {

template <class T>
PyObject* tuple_of(c10::ArrayRef<T> list) {
  PyObject* const tuple = checked(PyTuple_New(Py_ssize_t(list.size())));
  for (size_t i = 0; i < list.size(); ++i) PyTuple_SetItem(tuple, Py_ssize_t(i), to_python(list[i]));
  return tuple;
}

}  // namespace

PyObject* to_python(bool value) {
  return PyBool_FromLong(value);
}
PyObject* to_python(int value) {
  return PyLong_FromLongLong(value);
}
PyObject* to_python(unsigned value) {
  return PyLong_FromLongLong(value);
}
PyObject* to_python(long value) {
  return PyLong_FromLongLong(value);
}
PyObject* to_python(long long value) {
  return PyLong_FromLongLong(value);
}
PyObject* to_python(unsigned long value) {
  return PyLong_FromUnsignedLongLong(value);
}
PyObject* to_python(double value) {
  return PyFloat_FromDouble(value);
}
PyObject* to_python(const char* value) {
  return checked(PyUnicode_FromString(value));
}

PyObject* to_python(const c10::Scalar& value) {
  if (value.isBoolean()) return to_python(value.toBool());
  return value.isFloatingPoint() ? to_python(value.toDouble()) : to_python(value.toLong());
}

PyObject* to_python(c10::ScalarType type) {
  PyObject* const dtype = dtype_object(type);
  Py_IncRef(dtype);
  return dtype;
}

PyObject* to_python(c10::Device device) {
  return to_python(text(device).c_str());
}

PyObject* to_python(c10::MemoryFormat format) {
  const char* const names[] = {"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"};
  return checked(PyObject_GetAttrString(torch_module(), names[static_cast<int>(format)]));
}

PyObject* to_python(const at::Tensor& tensor) {
  PyObject* const object = tensor.defined() ? tensor.object() : Py_None;
  Py_IncRef(object);
  return object;
}

PyObject* to_python(c10::IntArrayRef list) {
  return tuple_of(list);
}
PyObject* to_python(c10::ArrayRef<at::Tensor> list) {
  return tuple_of(list);
}

PyObject* none() {
  Py_IncRef(Py_None);
  return Py_None;
}

PyObject* call(PyObject* object, const char* name, std::initializer_list<PyObject*> arguments,
               std::initializer_list<Keyword> keywords) {
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

int64_t as_integer(PyObject* object) {
  const long long value = PyLong_AsLongLong(object);
  if (value == -1 && PyErr_Occurred()) throw_raised();
  return value;
}

}  // namespace torch_slim
