// The functions of CPython's C API that calls of a module need. They are found in the interpreter that loaded
// this library, so that one build serves every interpreter.
#pragma once

#include <cstddef>
#include <utility>

namespace ridgeline::runner::python {

/// A PyObject, of which nothing but its address is known here.
struct Object;

/// Each has the meaning and the ownership that the Python/C API manual gives the function of the same name.
struct InterpreterApi {
  int (*PyGILState_Ensure)();
  void (*PyGILState_Release)(int state);
  void (*Py_IncRef)(Object*);
  void (*Py_DecRef)(Object*);
  Object* (*PyObject_Call)(Object* callable, Object* arguments, Object* named);
  Object* (*PyObject_CallFunctionObjArgs)(Object* callable, ...);
  Object* (*PyObject_Type)(Object*);
  int (*PyObject_IsInstance)(Object*, Object* type);
  int (*PyObject_RichCompareBool)(Object*, Object*, int operation);
  std::ptrdiff_t (*PySequence_Size)(Object*);
  Object* (*PySequence_GetItem)(Object*, std::ptrdiff_t);
  Object* (*PyLong_FromLong)(long);
  unsigned long long (*PyLong_AsUnsignedLongLong)(Object*);
  const char* (*PyUnicode_AsUTF8AndSize)(Object*, std::ptrdiff_t* size);
  void (*PyErr_Fetch)(Object** type, Object** value, Object** traceback);
  void (*PyErr_NormalizeException)(Object** type, Object** value, Object** traceback);
  int (*PyException_SetTraceback)(Object* exception, Object* traceback);
  void (*PyErr_Clear)();
};

inline constexpr int kEqual = 2;  // Py_EQ, of PyObject_RichCompareBool

/// Returns the functions of this process's interpreter. Throws MachineCannot where one is missing.
const InterpreterApi& interpreter();

/// Holds the interpreter's lock while it lives. A thread that has it already may take it again.
class InterpreterLock {
 public:
  InterpreterLock() : state_(interpreter().PyGILState_Ensure()) {}
  InterpreterLock(const InterpreterLock&) = delete;  // it is released once
  InterpreterLock& operator=(const InterpreterLock&) = delete;
  ~InterpreterLock() { interpreter().PyGILState_Release(state_); }

 private:
  int state_;
};

/// Owns a reference, or nothing. Use it with the interpreter's lock held.
class Reference {
 public:
  Reference() = default;
  /// Takes over the caller's reference.
  explicit Reference(Object* owned) : object_(owned) {}
  /// Adds a reference of its own.
  static Reference to(Object* borrowed) {
    if (borrowed != nullptr) interpreter().Py_IncRef(borrowed);
    return Reference(borrowed);
  }
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() {
    if (object_ != nullptr) interpreter().Py_DecRef(object_);
  }

  Object* get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  Object* object_ = nullptr;
};

}  // namespace ridgeline::runner::python
