// Casters of the standard library's types, for those whose headers the source has.
#pragma once

#include "torch_slim/from_python.h"

namespace torch_slim {

#ifdef _GLIBCXX_STRING
template <>
struct Caster<std::string> : Held<std::string> {
  bool load(PyObject* object, bool) {
    Py_ssize_t length = 0;
    char* bytes = nullptr;
    if (is_text(object)) {
      const char* const utf8 = PyUnicode_AsUTF8AndSize(object, &length);
      if (!utf8) return PyErr_Clear(), false;
      held.assign(utf8, size_t(length));
      return true;
    }
    if (!is_bytes(object) || PyBytes_AsStringAndSize(object, &bytes, &length) != 0) return false;
    held.assign(bytes, size_t(length));
    return true;
  }
  static void name(Text& out, bool) { out << "str"; }
  static PyObject* cast(const std::string& value) {
    return checked(PyUnicode_FromStringAndSize(value.data(), Py_ssize_t(value.size())));
  }
};
#endif

#ifdef _GLIBCXX_VECTOR
template <class T>
struct Caster<std::vector<T>> : Held<std::vector<T>> {
  bool load(PyObject* object, bool convert) {
    this->held.clear();
    Items items(object);
    for (Ref item; items.next(item);) {
      Caster<T> one;
      if (!one.load(item.get(), convert)) return false;
      this->held.push_back(one.value());
    }
    return items.valid();
  }
  static void name(Text& out, bool result) {
    out << (result ? "list[" : "collections.abc.Sequence[");
    Caster<T>::name(out, result);
    out << ']';
  }
  static PyObject* cast(const std::vector<T>& values) {
    Ref list(checked(PyList_New(Py_ssize_t(values.size()))));
    for (size_t i = 0; i < values.size(); ++i)
      PyList_SetItem(list.get(), Py_ssize_t(i), Caster<T>::cast(values[i]));
    return list.release();
  }
};
#endif

#ifdef _GLIBCXX_OPTIONAL
template <class T>
struct Caster<std::optional<T>> : Held<std::optional<T>> {
  bool load(PyObject* object, bool convert) {
    if (object == Py_None) return this->held.reset(), true;
    Caster<T> one;
    return one.load(object, convert) && (this->held = one.value(), true);
  }
  static void name(Text& out, bool result) {
    Caster<T>::name(out, result);
    out << " | None";
  }
  static PyObject* cast(const std::optional<T>& value) { return value ? Caster<T>::cast(*value) : none(); }
};
#endif

template <class Tuple, class... T>
struct TupleCaster : Held<Tuple> {
  bool load(PyObject* object, bool convert) {
    return load_all(object, convert, std::index_sequence_for<T...>{});
  }
  static void name(Text& out, bool result) {
    out << "tuple[";
    bool first = true;
    ((first ? out : out << ", ", first = false, Caster<T>::name(out, result)), ...);
    out << ']';
  }
  static PyObject* cast(const Tuple& values) { return cast_all(values, std::index_sequence_for<T...>{}); }

 private:
  template <size_t... I>
  bool load_all(PyObject* object, bool convert, std::index_sequence<I...>) {
    if (!PySequence_Check(object) || PySequence_Size(object) != sizeof...(T)) return PyErr_Clear(), false;
    return (load_one<T>(object, I, convert, std::get<I>(this->held)) && ...);
  }
  template <class One>
  static bool load_one(PyObject* object, size_t i, bool convert, One& into) {
    const Ref item(PySequence_GetItem(object, Py_ssize_t(i)));
    Caster<One> one;
    return item ? one.load(item.get(), convert) && (into = one.value(), true) : (PyErr_Clear(), false);
  }
  template <size_t... I>
  static PyObject* cast_all(const Tuple& values, std::index_sequence<I...>) {
    Ref tuple(checked(PyTuple_New(sizeof...(T))));
    (PyTuple_SetItem(tuple.get(), I, Caster<T>::cast(std::get<I>(values))), ...);
    return tuple.release();
  }
};
#ifdef _GLIBCXX_TUPLE
template <class... T>
struct Caster<std::tuple<T...>> : TupleCaster<std::tuple<T...>, T...> {};
#endif
template <class A, class B>
struct Caster<std::pair<A, B>> : TupleCaster<std::pair<A, B>, A, B> {};

}  // namespace torch_slim
