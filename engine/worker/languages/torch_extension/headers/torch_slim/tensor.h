// at::Tensor: a counted reference to Python's tensor. Sizes, strides, type, device and address are read once,
// when first asked for; everything else is a call of the method of the same name.
#pragma once

#include "torch_slim/options.h"
#include "torch_slim/scalar.h"

namespace at {
using namespace c10;
class Tensor;
template <class T, size_t N>
class TensorAccessor;
template <class T, size_t N, template <class> class Traits, class Index>
class GenericPackedTensorAccessor;
template <class T>
struct DefaultPtrTraits;
}  // namespace at

namespace torch_slim __attribute__((visibility("hidden"))) {

/// A name of Python's, made once a place.
#define TORCH_SLIM_PY(name)                                         \
  ([]() -> PyObject* {                                              \
    static PyObject* const made = PyUnicode_InternFromString(name); \
    return made;                                                    \
  }())

  inline bool is_tensor(PyObject * object) {
    static PyObject* const type = checked(PyObject_GetAttrString(torch_module(), "Tensor"));
    return reinterpret_cast<PyObject*>(object->ob_type) == type || PyObject_IsInstance(object, type) == 1;
  }

  inline int64_t as_integer(PyObject * object) {
    const long long value = PyLong_AsLongLong(object);
    if (value == -1 && PyErr_Occurred()) throw PythonError::fetched();
    return value;
  }

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
        type_ = Dtypes::get().type(dtype.get());
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
    Ref called(PyObject* method) {
      return Ref(checked(PyObject_CallMethodObjArgs(object_, method, nullptr)));
    }

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

#include "torch_slim/to_python.h"

namespace at {

class Tensor {
 public:
  Tensor() = default;
  /// Takes over the reference; None is an undefined tensor.
  static Tensor owning(PyObject* object) {
    if (object == Py_None) return Py_DecRef(object), Tensor();
    Tensor made;
    made.facts_ = new torch_slim::TensorFacts(object);
    return made;
  }
  Tensor(const Tensor& other) : facts_(other.facts_) {
    if (facts_) facts_->add_use();
  }
  Tensor(Tensor&& other) noexcept : facts_(std::exchange(other.facts_, nullptr)) {}
  ~Tensor() { drop(); }
  Tensor& operator=(const Tensor& other) & { return *this = Tensor(other); }
  Tensor& operator=(Tensor&& other) & noexcept {
    std::swap(facts_, other.facts_);
    return *this;
  }
  /// Assignment to the result of an expression writes through it: x[i] = y.
  Tensor& operator=(const Tensor& values) && { return copy_(values), *this; }
  Tensor& operator=(Tensor&& values) && { return copy_(values), *this; }
  Tensor& operator=(const Scalar& value) && { return fill_(value), *this; }

  bool defined() const { return facts_ != nullptr; }
  void reset() { *this = Tensor(); }
  bool is_same(const Tensor& other) const { return object() == other.object(); }
  /// Borrowed; null if undefined.
  PyObject* object() const { return facts_ ? facts_->object() : nullptr; }

  IntArrayRef sizes() const { return facts().sizes(); }
  IntArrayRef strides() const { return facts().strides(); }
  int64_t dim() const { return static_cast<int64_t>(sizes().size()); }
  int64_t ndimension() const { return dim(); }
  int64_t size(int64_t i) const { return sizes()[wrapped(i)]; }
  int64_t stride(int64_t i) const { return strides()[wrapped(i)]; }
  int64_t numel() const {
    int64_t count = 1;
    for (const int64_t n : sizes()) count *= n;
    return count;
  }
  ScalarType scalar_type() const { return facts().type(); }
  caffe2::TypeMeta dtype() const { return scalar_type(); }
  size_t itemsize() const { return elementSize(scalar_type()); }
  int64_t element_size() const { return static_cast<int64_t>(itemsize()); }
  size_t nbytes() const { return numel() * itemsize(); }
  Device device() const { return facts().device(); }
  DeviceIndex get_device() const { return device().index(); }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_floating_point() const { return isFloatingType(scalar_type()); }
  TensorOptions options() const { return TensorOptions().dtype(scalar_type()).device(device()); }
  bool requires_grad() const { return truth("requires_grad", false); }
  bool is_contiguous() const { return truth("is_contiguous", true); }
  bool is_contiguous(MemoryFormat format) const;
  bool is_non_overlapping_and_dense() const { return is_contiguous(); }

  void* data_ptr() const { return facts().data(); }
  template <class T>
  T* data_ptr() const {
    using Element = std::remove_const_t<T>;
    constexpr ScalarType wanted = CppTypeToScalarType<Element>::value;
    if (scalar_type() != wanted)
      torch_slim::fail(torch_slim::text("expected scalar type ", wanted, " but found ", scalar_type()));
    return static_cast<T*>(facts().data());
  }
  template <class T>
  T* data() const {
    return data_ptr<T>();
  }
  template <class T>
  T* mutable_data_ptr() const {
    return data_ptr<T>();
  }
  template <class T>
  const std::remove_const_t<T>* const_data_ptr() const {
    return data_ptr<const T>();
  }
  void* mutable_data_ptr() const { return data_ptr(); }
  const void* const_data_ptr() const { return data_ptr(); }

  template <class T, size_t N>
  TensorAccessor<T, N> accessor() const&;
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
  GenericPackedTensorAccessor<T, N, Traits, int32_t> packed_accessor32() const&;
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
  GenericPackedTensorAccessor<T, N, Traits, int64_t> packed_accessor64() const&;

#include "torch_slim/tensor_methods.h"

 private:
  torch_slim::TensorFacts& facts() const {
    if (!facts_) torch_slim::fail(torch_slim::text("tensor does not have a device"));
    return *facts_;
  }
  void drop() {
    if (facts_ && facts_->drop_use()) delete facts_;
    facts_ = nullptr;
  }
  size_t wrapped(int64_t i) const {
    const int64_t n = dim();
    if (i < -n || i >= n)
      throw IndexError(torch_slim::text("Dimension out of range (expected to be in range of [", -n, ", ",
                                        n - 1, "], but got ", i, ")"));
    return static_cast<size_t>(i < 0 ? i + n : i);
  }
  bool truth(const char* name, bool is_method) const {
    const torch_slim::Ref member(torch_slim::checked(PyObject_GetAttrString(facts().object(), name)));
    if (!is_method) return PyObject_IsTrue(member.get()) == 1;
    const torch_slim::Ref none(PyTuple_New(0));
    return PyObject_IsTrue(
               torch_slim::Ref(torch_slim::checked(PyObject_Call(member.get(), none.get(), nullptr)))
                   .get()) == 1;
  }

  torch_slim::TensorFacts* facts_ = nullptr;
};

using TensorList = ArrayRef<Tensor>;

}  // namespace at
