#include "engine/worker/runner/python/interpreter_api.hpp"

#include <dlfcn.h>

#include <string>

#include "engine/core/error.hpp"

namespace ridgeline::runner::python {
namespace {

template <class Function>
void find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
  if (function == nullptr) throw MachineCannot(std::string("this interpreter has no ") + name);
}

InterpreterApi found() {
  InterpreterApi api;
#define RIDGELINE_FIND(name) find(api.name, #name)
  RIDGELINE_FIND(PyGILState_Ensure);
  RIDGELINE_FIND(PyGILState_Release);
  RIDGELINE_FIND(Py_IncRef);
  RIDGELINE_FIND(Py_DecRef);
  RIDGELINE_FIND(PyObject_Call);
  RIDGELINE_FIND(PyObject_CallFunctionObjArgs);
  RIDGELINE_FIND(PyObject_Type);
  RIDGELINE_FIND(PyObject_IsInstance);
  RIDGELINE_FIND(PyObject_RichCompareBool);
  RIDGELINE_FIND(PySequence_Size);
  RIDGELINE_FIND(PySequence_GetItem);
  RIDGELINE_FIND(PyLong_FromLong);
  RIDGELINE_FIND(PyLong_AsUnsignedLongLong);
  RIDGELINE_FIND(PyUnicode_AsUTF8AndSize);
  RIDGELINE_FIND(PyErr_Fetch);
  RIDGELINE_FIND(PyErr_NormalizeException);
  RIDGELINE_FIND(PyException_SetTraceback);
  RIDGELINE_FIND(PyErr_Clear);
#undef RIDGELINE_FIND
  return api;
}

}  // namespace

const InterpreterApi& interpreter() {
  static const InterpreterApi api = found();
  return api;
}

}  // namespace ridgeline::runner::python
