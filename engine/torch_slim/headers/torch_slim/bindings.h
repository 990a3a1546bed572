// pybind11's way of exporting functions, as far as extensions of tensors use it: PYBIND11_MODULE, m.def with
// docstrings, py::arg and defaults, overloads by name, and its words for wrong arguments.
#pragma once

#include "torch_slim/overloads.h"

namespace pybind11 {

class arg {
 public:
  explicit arg(const char* name) : name_(name) {}
  arg& noconvert(bool = true) { return *this; }
  arg& none(bool = true) { return *this; }
  template <class T>
  arg operator=(const T& value) const {
    arg with = *this;
    with.default_ = torch_slim::Caster<std::decay_t<T>>::cast(value);
    return with;
  }
  arg operator=(const char* value) const {
    arg with = *this;
    with.default_ = torch_slim::to_python(value);
    return with;
  }
  void add_to(torch_slim::Function& function) const { function.add_argument(name_, default_); }

 private:
  const char* name_;
  PyObject* default_ = nullptr;  // owned by the module for good
};
namespace literals {
inline arg operator""_a(const char* name, size_t) {
  return arg(name);
}
}  // namespace literals

enum class return_value_policy { automatic, copy, move, reference, take_ownership };
/// The slim tensors are Python's own: the lock stays held.
struct gil_scoped_release {};
struct gil_scoped_acquire {};
template <class... T>
struct call_guard {};

class module_ {
 public:
  explicit module_(PyObject* module) : object_(module) {}

  template <class F, class... Extra>
  module_& def(const char* name, F&& function, const Extra&... extra) {
    auto* const made = torch_slim::make_function(name, static_cast<F&&>(function));
    (note(*made, extra), ...);
    torch_slim::add_overload(object_, made);
    return *this;
  }
  class Doc {
   public:
    explicit Doc(PyObject* module) : object_(module) {}
    void operator=(const char* text) const {
      const torch_slim::Ref words(torch_slim::to_python(text));
      PyObject_SetAttrString(object_, "__doc__", words.get());
    }

   private:
    PyObject* object_;
  };
  Doc doc() const { return Doc(object_); }

 private:
  static void note(torch_slim::Function& function, const char* doc) { function.doc = doc; }
  static void note(torch_slim::Function& function, const arg& argument) { argument.add_to(function); }
  static void note(torch_slim::Function&, return_value_policy) {}
  template <class... T>
  static void note(torch_slim::Function&, call_guard<T...>) {}

  PyObject* object_;
};
using module = module_;

}  // namespace pybind11
namespace py = pybind11;

namespace torch {
/// Errors of any kind become RuntimeError, which m.def alone leaves to pybind11's table.
template <class F>
auto wrap_pybind_function(F&& function) {
  return torch_slim::Wrapped<std::decay_t<F>>{static_cast<F&&>(function)};
}
template <class F>
auto wrap_pybind_function_no_gil(F&& function) {
  return wrap_pybind_function(static_cast<F&&>(function));
}
}  // namespace torch

#define TORCH_SLIM_JOINED(a, b) a##b
#define TORCH_SLIM_NAMED(a, b) TORCH_SLIM_JOINED(a, b)
#define TORCH_SLIM_QUOTED(a) #a
#define TORCH_SLIM_TEXT(a) TORCH_SLIM_QUOTED(a)
#define PYBIND11_MODULE(name, variable, ...)                                                      \
  static void TORCH_SLIM_NAMED(torch_slim_fill_, name)(::pybind11::module_ & variable);           \
  extern "C" __attribute__((visibility("default"))) PyObject* TORCH_SLIM_NAMED(PyInit_, name)() { \
    return ::torch_slim::make_module(TORCH_SLIM_TEXT(name), [](PyObject* made) {                  \
      ::pybind11::module_ module(made);                                                           \
      TORCH_SLIM_NAMED(torch_slim_fill_, name)(module);                                           \
    });                                                                                           \
  }                                                                                               \
  static void TORCH_SLIM_NAMED(torch_slim_fill_, name)(::pybind11::module_ & variable)
