// Arguments and results of bound functions: for each C++ type a Caster with what pybind11 accepts for it, and
// the words for it in signatures.
//
//   bool load(PyObject*, bool convert)   false: not such an object
//   T& value()                           what was loaded
//   static void name(Text&, bool result)
//   static PyObject* cast(const T&)      a new reference
#pragma once

#include "torch_slim/operators.h"

namespace torch_slim {

template <class T, class = void>
struct Caster;

template <class T>
struct Held {
  T held{};
  T& value() { return held; }
};

bool load_tensor(PyObject* object, at::Tensor& into);
bool load_bool(PyObject* object, bool convert, bool& into);
bool load_integer(PyObject* object, bool convert, long long& into);
bool load_integer(PyObject* object, bool convert, unsigned long long& into);
bool load_real(PyObject* object, bool convert, double& into);

template <>
struct Caster<at::Tensor> : Held<at::Tensor> {
  bool load(PyObject* object, bool) { return load_tensor(object, held); }
  static void name(Text& out, bool) { out << "torch.Tensor"; }
  static PyObject* cast(const at::Tensor& tensor) { return to_python(tensor); }
};

template <>
struct Caster<bool> : Held<bool> {
  bool load(PyObject* object, bool convert) { return load_bool(object, convert, held); }
  static void name(Text& out, bool) { out << "bool"; }
  static PyObject* cast(bool value) { return to_python(value); }
};

template <class T>
struct Caster<T, std::enable_if_t<std::is_integral_v<T>>> : Held<T> {
  using Wide = std::conditional_t<std::is_unsigned_v<T>, unsigned long long, long long>;
  bool load(PyObject* object, bool convert) {
    Wide wide = 0;
    if (!load_integer(object, convert, wide)) return false;
    this->held = static_cast<T>(wide);
    return static_cast<Wide>(this->held) == wide;
  }
  static void name(Text& out, bool result) { out << (result ? "int" : "typing.SupportsInt"); }
  static PyObject* cast(T value) {
    return std::is_unsigned_v<T> ? PyLong_FromUnsignedLongLong(static_cast<unsigned long long>(value))
                                 : PyLong_FromLongLong(static_cast<long long>(value));
  }
};

template <class T>
struct Caster<T, std::enable_if_t<std::is_floating_point_v<T>>> : Held<T> {
  bool load(PyObject* object, bool convert) {
    double wide = 0;
    if (!load_real(object, convert, wide)) return false;
    this->held = static_cast<T>(wide);
    return true;
  }
  static void name(Text& out, bool result) { out << (result ? "float" : "typing.SupportsFloat"); }
  static PyObject* cast(T value) { return PyFloat_FromDouble(value); }
};

template <>
struct Caster<c10::ScalarType> : Held<c10::ScalarType> {
  bool load(PyObject* object, bool) {
    held = type_of_dtype(object);
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

/// The items of a sequence that is no text.
class Items {
 public:
  explicit Items(PyObject* sequence);
  bool valid() const { return count_ >= 0; }
  /// False at the end, or where the sequence fails: then `valid` no longer holds.
  bool next(Ref& item);

 private:
  PyObject* sequence_;
  Py_ssize_t at_ = 0, count_ = -1;
};

bool load_sizes(PyObject* object, bool convert, int64_t (&numbers)[64], c10::IntArrayRef& view);

/// A view needs an owner: the caster.
template <>
struct Caster<c10::IntArrayRef> {
  c10::IntArrayRef view;
  int64_t numbers[64];
  Caster() = default;
  Caster(const Caster&) = delete;
  c10::IntArrayRef& value() { return view; }
  bool load(PyObject* object, bool convert) { return load_sizes(object, convert, numbers, view); }
  static void name(Text& out, bool) { out << "Tuple[int, ...]"; }
  static PyObject* cast(c10::IntArrayRef list) { return to_python(list); }
};

}  // namespace torch_slim

#include "torch_slim/from_python_std.h"
