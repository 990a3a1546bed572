// What is known of one Python tensor, read when first asked for.
#pragma once

#include "torch_slim/to_python.h"

namespace torch_slim {

/// A name of Python's, made once a place.
#define TORCH_SLIM_PY(name)                                         \
  ([]() -> PyObject* {                                              \
    static PyObject* const made = PyUnicode_InternFromString(name); \
    return made;                                                    \
  }())

/// What is known of one Python tensor. All members but the count are used under the GIL alone.
class TensorFacts {
 public:
  explicit TensorFacts(PyObject* owned) : object_(owned) {}
  TensorFacts(const TensorFacts&) = delete;
  ~TensorFacts() {
    forget();
    if (!Py_IsInitialized()) return;  // a static tensor outlives the interpreter
    const int gil = PyGILState_Ensure();
    Py_DecRef(object_);
    PyGILState_Release(gil);
  }
  void add_use() { __atomic_add_fetch(&uses_, 1, __ATOMIC_RELAXED); }
  bool drop_use() { return __atomic_sub_fetch(&uses_, 1, __ATOMIC_ACQ_REL) == 0; }

  PyObject* object() const { return object_; }
  c10::IntArrayRef sizes() {
    if (!sizes_) dims_ = read(Ref(checked(PyObject_GetAttr(object_, TORCH_SLIM_PY("shape")))), sizes_);
    return {sizes_, size_t(dims_)};
  }
  c10::IntArrayRef strides() {
    if (!strides_) dims_ = read(called(TORCH_SLIM_PY("stride")), strides_);
    return {strides_, size_t(dims_)};
  }
  c10::ScalarType type() {
    if (type_ == c10::ScalarType::Undefined) {
      const Ref dtype(checked(PyObject_GetAttr(object_, TORCH_SLIM_PY("dtype"))));
      type_ = type_of_dtype(dtype.get());
    }
    return type_;
  }
  c10::Device device() {
    if (!device_known_) {
      device_known_ = true;
      const Ref place(checked(PyObject_GetAttr(object_, TORCH_SLIM_PY("device"))));
      const Ref words(checked(PyObject_Str(place.get())));
      device_ = c10::Device(PyUnicode_AsUTF8AndSize(words.get(), nullptr));
    }
    return device_;
  }
  void* data() {
    if (!data_) data_ = reinterpret_cast<void*>(as_integer(called(TORCH_SLIM_PY("data_ptr")).get()));
    return data_;
  }
  /// For what changes a tensor in place.
  void forget() {
    delete[] sizes_;
    delete[] strides_;
    sizes_ = strides_ = nullptr;
    data_ = nullptr;
    type_ = c10::ScalarType::Undefined;
    device_known_ = false;
  }
  Ref called(PyObject* method) { return Ref(checked(PyObject_CallMethodObjArgs(object_, method, nullptr))); }

 private:
  static int64_t read(const Ref& numbers, int64_t*& into) {
    const Py_ssize_t count = PyTuple_Size(numbers.get());
    into = new int64_t[count + 1];
    for (Py_ssize_t i = 0; i < count; ++i) into[i] = as_integer(PyTuple_GetItem(numbers.get(), i));
    return count;
  }

  PyObject* object_;
  int64_t uses_ = 1;
  int64_t dims_ = 0, *sizes_ = nullptr, *strides_ = nullptr;
  void* data_ = nullptr;
  c10::Device device_{c10::kCPU};
  c10::ScalarType type_ = c10::ScalarType::Undefined;
  bool device_known_ = false;
};

}  // namespace torch_slim
