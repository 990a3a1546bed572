#include "torch_slim/error.h"

namespace c10 {
void Error::restore() const {
  PyErr_SetString(type_, what());
}
}  // namespace c10

namespace torch_slim {
namespace {

/// What Python raised, carried through C++.
class PythonError : public c10::Error {
 public:
  struct Raised {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  };
  static PythonError fetched() {
    Raised raised;
    PyErr_Fetch(&raised.type, &raised.value, &raised.trace);
    PyErr_NormalizeException(&raised.type, &raised.value, &raised.trace);
    Text message;
    if (const Ref words{raised.value ? PyObject_Str(raised.value) : nullptr})
      if (const char* utf8 = PyUnicode_AsUTF8AndSize(words.get(), nullptr)) message << utf8;
    PyErr_Clear();
    return {raised, static_cast<Text&&>(message)};
  }
  PythonError(const PythonError& other) : Error(other), raised_(other.raised_) { count(Py_IncRef); }
  ~PythonError() override { count(Py_DecRef); }
  void restore() const override {
    count(Py_IncRef);
    PyErr_Restore(raised_.type, raised_.value, raised_.trace);
  }

 private:
  PythonError(Raised raised, Text message)
      : Error(raised.type, static_cast<Text&&>(message)), raised_(raised) {}
  void count(void (*change)(PyObject*)) const {
    change(raised_.type), change(raised_.value), change(raised_.trace);
  }
  Raised raised_;
};

}  // namespace

PyObject* checked(PyObject* result) {
  if (!result) throw_raised();
  return result;
}

void throw_raised() {
  throw PythonError::fetched();
}

void fail(Text message) {
  throw c10::Error(PyExc_RuntimeError, static_cast<Text&&>(message));
}

void warn(const Text& message) {
  if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) != 0) throw_raised();
}

}  // namespace torch_slim
