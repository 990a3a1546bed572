// One exported C++ function: how to call it with Python's arguments.
#pragma once

#include <new>

#include "torch_slim/from_python.h"

namespace torch_slim {

inline constexpr int kMaxParameters = 64;

/// What Function::call returns if an argument is not of the parameter's type; no object.
inline PyObject* kMismatch() {
  return reinterpret_cast<PyObject*>(1);
}

/// Lives as long as the process, as the module does.
struct Function {
  const char* name = nullptr;
  const char* doc = nullptr;
  int parameters = 0, named = 0;
  const char* names[kMaxParameters];
  PyObject* defaults[kMaxParameters];
  PyObject* (*call)(const Function&, PyObject* const* slots, bool convert) = nullptr;
  void (*name_type)(Text&, int parameter) = nullptr;  // -1: of the result
  Function* next = nullptr;                           // overload
  Function* other = nullptr;                          // name
  PyMethodDef method{};

  void add_argument(const char* argument, PyObject* value) {
    names[named] = argument;
    defaults[named++] = value;
  }
};

/// See torch::wrap_pybind_function.
template <class F>
struct Wrapped {
  F function;
};

template <class T>
using Bare = std::remove_cv_t<std::remove_reference_t<T>>;

/// Raises in Python what was caught here. `all_runtime`: whatever is not torch's own becomes RuntimeError.
void raise_caught(bool all_runtime);

template <size_t, class T>
struct Slot {
  Caster<Bare<T>> caster;
};
template <class Indices, class... A>
struct Slots;
template <size_t... I, class... A>
struct Slots<std::index_sequence<I...>, A...> : Slot<I, A>... {
  bool load(PyObject* const* objects, bool convert) {
    (void)objects, (void)convert;
    return (static_cast<Slot<I, A>&>(*this).caster.load(objects[I], convert) && ...);
  }
  template <class F>
  decltype(auto) pass(F& function) {
    return function(static_cast<A&&>(static_cast<Slot<I, A>&>(*this).caster.value())...);
  }
};

/// A function that is called through an object of type F, stored behind the record.
template <class F, bool all_runtime, class R, class... A>
struct Bound : Function {
  F function;
  explicit Bound(F f) : function(static_cast<F&&>(f)) {
    static_assert(sizeof...(A) <= kMaxParameters);
    parameters = sizeof...(A);
    call = &invoke;
    name_type = &type_name;
  }
  static PyObject* invoke(const Function& record, PyObject* const* objects, bool convert) try {
    Slots<std::index_sequence_for<A...>, A...> slots;
    if (!slots.load(objects, convert)) return kMismatch();
    F& f = const_cast<F&>(static_cast<const Bound&>(record).function);
    if constexpr (std::is_void_v<R>)
      return slots.pass(f), none();
    else
      return Caster<Bare<R>>::cast(slots.pass(f));
  } catch (...) {
    raise_caught(all_runtime);
    return nullptr;
  }
  static void type_name(Text& out, int parameter) {
    int i = 0;
    (void)i;
    if (parameter >= 0)
      ((i++ == parameter ? Caster<Bare<A>>::name(out, false) : void()), ...);
    else if constexpr (std::is_void_v<R>)
      out << "None";
    else
      Caster<Bare<R>>::name(out, true);
  }
};

template <bool all_runtime, class R, class... A>
Function* bind(R (*function)(A...)) {
  return new Bound<R (*)(A...), all_runtime, R, A...>(function);
}
template <bool all_runtime, class F, class R, class C, class... A>
Function* bind(F&& function, R (C::*)(A...) const) {
  return new Bound<std::decay_t<F>, all_runtime, R, A...>(static_cast<F&&>(function));
}
template <bool all_runtime, class F, class R, class C, class... A>
Function* bind(F&& function, R (C::*)(A...)) {
  return new Bound<std::decay_t<F>, all_runtime, R, A...>(static_cast<F&&>(function));
}
template <bool all_runtime, class F>
Function* bind_any(F&& function) {
  using Object = std::decay_t<F>;
  if constexpr (std::is_pointer_v<Object>)
    return bind<all_runtime>(static_cast<Object>(function));
  else
    return bind<all_runtime>(static_cast<F&&>(function), &Object::operator());
}

template <class F>
Function* make_function(const char* name, F&& function) {
  Function* const made = bind_any<false>(static_cast<F&&>(function));
  made->name = name;
  return made;
}
template <class F>
Function* make_function(const char* name, Wrapped<F>&& wrapped) {
  Function* const made = bind_any<true>(wrapped.function);
  made->name = name;
  return made;
}

}  // namespace torch_slim
