// c10::Error and its kinds, exceptions that come from Python, and the macros that check.
#pragma once

#include <exception>

#include "torch_slim/python_abi.h"
#include "torch_slim/text.h"

namespace c10 {

class Error : public std::exception {
 public:
  Error(PyObject* python_type, torch_slim::Text message)
      : type_(python_type), text_(static_cast<torch_slim::Text&&>(message)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  const char* what_without_backtrace() const noexcept { return text_.c_str(); }
  virtual void restore() const;  ///< raises it in Python

 private:
  PyObject* type_;  // lives as long as the interpreter
  torch_slim::Text text_;
};

#define TORCH_SLIM_ERROR(name, python)                                                             \
  class name : public Error {                                                                      \
   public:                                                                                         \
    explicit name(torch_slim::Text text) : Error(python, static_cast<torch_slim::Text&&>(text)) {} \
  };
TORCH_SLIM_ERROR(IndexError, PyExc_IndexError)
TORCH_SLIM_ERROR(ValueError, PyExc_ValueError)
TORCH_SLIM_ERROR(TypeError, PyExc_TypeError)
TORCH_SLIM_ERROR(NotImplementedError, PyExc_NotImplementedError)
#undef TORCH_SLIM_ERROR

}  // namespace c10

namespace torch_slim {

/// Owns one reference to a Python object, or none.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) : object_(owned) {}
  Ref(Ref&& other) noexcept : object_(other.release()) {}
  Ref& operator=(Ref&& other) noexcept {
    PyObject* const old = object_;
    object_ = other.release();
    Py_DecRef(old);
    return *this;
  }
  ~Ref() { Py_DecRef(object_); }
  PyObject* get() const { return object_; }
  PyObject* release() {
    PyObject* const object = object_;
    object_ = nullptr;
    return object;
  }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};

/// A new reference that the C API returned; throws the exception that it set instead.
PyObject* checked(PyObject* result);

/// Throws what Python has raised, to be raised again unchanged.
[[noreturn]] void throw_raised();

[[noreturn]] void fail(Text message);

void warn(const Text& message);

inline Text explained(const char* fallback) {
  return text(fallback);
}
template <class... Parts>
Text explained(const char*, const Parts&... parts) {
  return text(parts...);
}

}  // namespace torch_slim

#define TORCH_SLIM_UNEXPLAINED(cond)                                                              \
  "Expected " #cond                                                                               \
  " to be true, but got false.  (Could this error message be improved?  If so, please report an " \
  "enhancement request to PyTorch.)"
#define TORCH_SLIM_CHECK(error, cond, ...) \
  if (__builtin_expect(!(cond), 0))        \
  throw error(::torch_slim::explained(TORCH_SLIM_UNEXPLAINED(cond), ##__VA_ARGS__))

#define TORCH_CHECK(cond, ...)      \
  if (__builtin_expect(!(cond), 0)) \
  ::torch_slim::fail(::torch_slim::explained(TORCH_SLIM_UNEXPLAINED(cond), ##__VA_ARGS__))
#define TORCH_CHECK_INDEX(cond, ...) TORCH_SLIM_CHECK(::c10::IndexError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(cond, ...) TORCH_SLIM_CHECK(::c10::ValueError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(cond, ...) TORCH_SLIM_CHECK(::c10::TypeError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) \
  TORCH_SLIM_CHECK(::c10::NotImplementedError, cond, ##__VA_ARGS__)
#define TORCH_SLIM_COMPARED(a, b, op) \
  TORCH_CHECK((a)op(b), "Check failed: " #a " " #op " " #b " (", (a), " vs. ", (b), "). ")
#define TORCH_CHECK_EQ(a, b) TORCH_SLIM_COMPARED(a, b, ==)
#define TORCH_CHECK_NE(a, b) TORCH_SLIM_COMPARED(a, b, !=)
#define TORCH_CHECK_LE(a, b) TORCH_SLIM_COMPARED(a, b, <=)
#define TORCH_CHECK_LT(a, b) TORCH_SLIM_COMPARED(a, b, <)
#define TORCH_CHECK_GE(a, b) TORCH_SLIM_COMPARED(a, b, >=)
#define TORCH_CHECK_GT(a, b) TORCH_SLIM_COMPARED(a, b, >)
#define AT_ASSERTM(cond, ...) TORCH_CHECK(cond, ##__VA_ARGS__)
#define AT_ERROR(...)                                               \
  do {                                                              \
    ::torch_slim::fail(::torch_slim::explained("", ##__VA_ARGS__)); \
  } while (false)
#define TORCH_WARN(...) ::torch_slim::warn(::torch_slim::explained("", ##__VA_ARGS__))
