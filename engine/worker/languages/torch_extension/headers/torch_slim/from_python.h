// Arguments and results of bound functions: for each C++ type a Caster with what pybind11 accepts for it, and
// the words for it in signatures.
//
//   bool load(PyObject*, bool convert)   false: not such an object
//   T& value()                           what was loaded
//   static void name(Text&, bool result)
//   static PyObject* cast(const T&)      a new reference
#pragma once

#include "torch_slim/operators.h"

namespace torch_slim __attribute__((visibility("hidden"))) {

  template <class T, class = void>
  struct Caster;

  template <class T>
  struct Held {
    T held{};
    T& value() { return held; }
  };

  template <>
  struct Caster<at::Tensor> : Held<at::Tensor> {
    bool load(PyObject* object, bool) {
      if (!is_tensor(object)) return false;
      Py_IncRef(object);
      held = at::Tensor::owning(object);
      return true;
    }
    static void name(Text& out, bool) { out << "torch.Tensor"; }
    static PyObject* cast(const at::Tensor& tensor) { return to_python(tensor); }
  };

  template <>
  struct Caster<bool> : Held<bool> {
    bool load(PyObject* object, bool convert) {
      if (object->ob_type != &PyBool_Type && !convert) return false;
      const int truth = object == Py_None                                      ? 0
                        : object->ob_type == &PyBool_Type || has_truth(object) ? PyObject_IsTrue(object)
                                                                               : -1;
      if (truth < 0) PyErr_Clear();
      held = truth == 1;
      return truth >= 0;
    }
    /// Lists and strings are not taken for their emptiness.
    static bool has_truth(PyObject* object) { return PyNumber_Check(object) && !is_text(object); }
    static void name(Text& out, bool) { out << "bool"; }
    static PyObject* cast(bool value) { return to_python(value); }
  };

  template <class T>
  struct Caster<T, std::enable_if_t<std::is_integral_v<T>>> : Held<T> {
    bool load(PyObject* object, bool convert) {
      if (is_float(object) || (!convert && !is_long(object) && !PyIndex_Check(object))) return false;
      Ref index;
      if (!is_long(object)) {
        index = Ref(PyNumber_Index(object));
        if (!index) {
          PyErr_Clear();
          if (!convert || !PyNumber_Check(object)) return false;
          index = Ref(PyNumber_Long(object));
          return index ? load(index.get(), false) : (PyErr_Clear(), false);
        }
        object = index.get();
      }
      if constexpr (std::is_unsigned_v<T>) {
        const unsigned long long value = PyLong_AsUnsignedLongLong(object);
        this->held = static_cast<T>(value);
        if (value != ~0ull || !PyErr_Occurred()) return this->held == value;
      } else {
        const long long value = PyLong_AsLongLong(object);
        this->held = static_cast<T>(value);
        if (value != -1 || !PyErr_Occurred()) return this->held == value;
      }
      PyErr_Clear();
      return false;
    }
    static void name(Text& out, bool result) { out << (result ? "int" : "typing.SupportsInt"); }
    static PyObject* cast(T value) {
      return std::is_unsigned_v<T> ? PyLong_FromUnsignedLongLong(value)
                                   : PyLong_FromLongLong(static_cast<long long>(value));
    }
  };

  template <class T>
  struct Caster<T, std::enable_if_t<std::is_floating_point_v<T>>> : Held<T> {
    bool load(PyObject* object, bool convert) {
      if (!convert && !is_float(object)) return false;
      double value = PyFloat_AsDouble(object);
      if (value == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        const Ref number(convert && PyNumber_Check(object) ? PyNumber_Float(object) : nullptr);
        if (!number) return PyErr_Clear(), false;
        value = PyFloat_AsDouble(number.get());
      }
      this->held = static_cast<T>(value);
      return true;
    }
    static void name(Text& out, bool result) { out << (result ? "float" : "typing.SupportsFloat"); }
    static PyObject* cast(T value) { return PyFloat_FromDouble(value); }
  };

  template <>
  struct Caster<c10::Scalar> : Held<c10::Scalar> {
    bool load(PyObject* object, bool) {
      if (object->ob_type == &PyBool_Type) return held = PyObject_IsTrue(object) == 1, true;
      if (is_float(object)) return held = PyFloat_AsDouble(object), true;
      return is_long(object) && (held = as_integer(object), true);
    }
    static void name(Text& out, bool) { out << "Union[int, float, bool, complex]"; }
    static PyObject* cast(const c10::Scalar& value) { return to_python(value); }
  };

  template <>
  struct Caster<c10::ScalarType> : Held<c10::ScalarType> {
    bool load(PyObject* object, bool) {
      held = Dtypes::get().type(object);
      return held != c10::ScalarType::Undefined;
    }
    static void name(Text& out, bool) { out << "torch.dtype"; }
    static PyObject* cast(c10::ScalarType type) { return to_python(type); }
  };

  template <>
  struct Caster<const char*> : Held<const char*> {
    bool load(PyObject* object, bool) {
      if (object == Py_None) return true;
      held = is_text(object) ? PyUnicode_AsUTF8AndSize(object, nullptr) : nullptr;
      return held != nullptr;
    }
    static void name(Text& out, bool) { out << "str"; }
    static PyObject* cast(const char* value) { return value ? to_python(value) : none(); }
  };

  /// Calls `each(item)` for the items of a sequence that is no text; false if one of them fails.
  template <class Each>
  bool load_items(PyObject * object, const Each& each) {
    if (!PySequence_Check(object) || is_text(object) || is_bytes(object)) return false;
    const Py_ssize_t count = PySequence_Size(object);
    if (count < 0) return PyErr_Clear(), false;
    for (Py_ssize_t i = 0; i < count; ++i) {
      const Ref item(PySequence_GetItem(object, i));
      if (!item) return PyErr_Clear(), false;
      if (!each(item.get())) return false;
    }
    return true;
  }

  /// A view needs an owner: the caster.
  template <>
  struct Caster<c10::IntArrayRef> {
    c10::IntArrayRef view;
    int64_t numbers[64];
    Caster() = default;
    Caster(const Caster&) = delete;
    c10::IntArrayRef& value() { return view; }
    bool load(PyObject* object, bool convert) {
      if (!is_list_or_tuple(object)) return false;
      size_t count = 0;
      const bool loaded = load_items(object, [&](PyObject* item) {
        Caster<int64_t> one;
        if (count == 64 || !one.load(item, convert)) return false;
        numbers[count++] = one.held;
        return true;
      });
      view = {numbers, count};
      return loaded;
    }
    static void name(Text& out, bool) { out << "tuple[int, ...]"; }
    static PyObject* cast(c10::IntArrayRef list) { return to_python(list); }
  };

}  // namespace torch_slim

#include "torch_slim/from_python_std.h"
