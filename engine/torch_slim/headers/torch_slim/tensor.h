// at::Tensor: a counted reference to Python's tensor. Sizes, strides, type, device and address are read once,
// when first asked for; everything else is a call of the method of the same name.
#pragma once

#include "torch_slim/to_python.h"

namespace torch_slim {
class TensorFacts;
bool is_tensor(PyObject* object);
}  // namespace torch_slim

namespace at {
using namespace c10;
template <class T, size_t N>
class TensorAccessor;
template <class T, size_t N, template <class> class Traits, class Index>
class GenericPackedTensorAccessor;
template <class T>
struct DefaultPtrTraits;

/// Kept for what asks it where a tensor is. As in torch 2.11 it is no type to dispatch on.
class DeprecatedTypeProperties {
 public:
  DeprecatedTypeProperties(ScalarType type, Device device) : type_(type), device_(device) {}
  ScalarType scalarType() const { return type_; }
  bool is_cuda() const { return device_.is_cuda(); }
  DeviceType device_type() const { return device_.type(); }

 private:
  ScalarType type_;
  Device device_;
};

/// Used under the GIL; only copying and dropping are safe elsewhere.
class Tensor {
 public:
  Tensor() = default;
  /// Takes over the reference; None is an undefined tensor.
  static Tensor owning(PyObject* object);
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept : facts_(other.facts_) { other.facts_ = nullptr; }
  ~Tensor() {
    if (facts_) drop();
  }
  Tensor& operator=(const Tensor& other) &;
  Tensor& operator=(Tensor&& other) & noexcept;
  /// Assignment to the result of an expression writes through it: x[i] = y.
  Tensor& operator=(const Tensor& values) &&;
  Tensor& operator=(Tensor&& values) &&;
  Tensor& operator=(const Scalar& value) &&;

  bool defined() const { return facts_ != nullptr; }
  void reset();
  bool is_same(const Tensor& other) const { return object() == other.object(); }
  /// Borrowed; null if undefined.
  PyObject* object() const;

  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  int64_t dim() const;
  int64_t ndimension() const { return dim(); }
  int64_t size(int64_t i) const;
  int64_t stride(int64_t i) const;
  int64_t numel() const;
  ScalarType scalar_type() const;
  caffe2::TypeMeta dtype() const { return scalar_type(); }
  size_t itemsize() const;
  int64_t element_size() const;
  size_t nbytes() const;
  Device device() const;
  DeviceIndex get_device() const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_floating_point() const;
  TensorOptions options() const;
  DeprecatedTypeProperties type() const { return {scalar_type(), device()}; }
  bool requires_grad() const;
  bool is_contiguous() const;
  bool is_contiguous(MemoryFormat format) const;
  bool is_non_overlapping_and_dense() const { return is_contiguous(); }

  void* data_ptr() const;
  template <class T>
  T* data_ptr() const {
    return static_cast<T*>(data_of(CppTypeToScalarType<std::remove_const_t<T>>::value));
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

  /// Calls Python's method; a name with an underscore at its end may change what is known of this tensor.
  Tensor call(const char* name, std::initializer_list<PyObject*> arguments = {},
              std::initializer_list<torch_slim::Keyword> keywords = {}) const;

  Tensor contiguous() const;
  Tensor contiguous(MemoryFormat format) const;
  Tensor clone() const;
  Tensor detach() const;
  Tensor cuda() const;
  Tensor cpu() const;
  Tensor to(ScalarType type) const;
  Tensor to(Device device) const;
  Tensor to(DeviceType type) const;
  Tensor to(Device device, ScalarType type) const;
  Tensor to(const TensorOptions& options) const;
  Tensor toType(ScalarType type) const { return to(type); }

  Tensor view(IntArrayRef shape) const;
  Tensor reshape(IntArrayRef shape) const;
  Tensor expand(IntArrayRef shape) const;
  Tensor permute(IntArrayRef order) const;
  Tensor repeat(IntArrayRef times) const;
  Tensor view_as(const Tensor& other) const;
  Tensor reshape_as(const Tensor& other) const;
  Tensor expand_as(const Tensor& other) const;
  Tensor flatten(int64_t from = 0, int64_t to = -1) const;
  Tensor squeeze() const;
  Tensor squeeze(int64_t dim) const;
  Tensor unsqueeze(int64_t dim) const;
  Tensor t() const;
  Tensor transpose(int64_t a, int64_t b) const;
  Tensor select(int64_t dim, int64_t index) const;
  Tensor narrow(int64_t dim, int64_t from, int64_t length) const;
  Tensor slice(int64_t dim, int64_t from, int64_t to, int64_t step = 1) const;
  Tensor operator[](int64_t index) const { return select(0, index); }
  /// By whole numbers only; slices and masks need the full headers.
  Tensor index(std::initializer_list<int64_t> indices) const;

  const Tensor& zero_() const;
  const Tensor& fill_(const Scalar& value) const;
  const Tensor& copy_(const Tensor& from) const;
#define TORCH_SLIM_BINARY(name)                     \
  Tensor name(const Tensor& other) const;           \
  Tensor name(const Scalar& other) const;           \
  const Tensor& name##_(const Tensor& other) const; \
  const Tensor& name##_(const Scalar& other) const;
#define TORCH_SLIM_UNARY(name) \
  Tensor name() const;         \
  const Tensor& name##_() const;
#define TORCH_SLIM_REDUCTION(name)                           \
  Tensor name() const;                                       \
  Tensor name(IntArrayRef dims, bool keepdim = false) const; \
  Tensor name(int64_t dim, bool keepdim = false) const;      \
  Tensor name(int dim, bool keepdim = false) const { return name(int64_t{dim}, keepdim); }
#define TORCH_SLIM_PRODUCT(name) Tensor name(const Tensor& other) const;
#include "torch_slim/operations.h"
  const Tensor& operator+=(const Tensor& other) const { return add_(other); }
  const Tensor& operator-=(const Tensor& other) const { return sub_(other); }
  const Tensor& operator*=(const Tensor& other) const { return mul_(other); }
  const Tensor& operator/=(const Tensor& other) const { return div_(other); }
  Tensor max() const;
  Tensor min() const;
#ifdef _GLIBCXX_TUPLE
  std::tuple<Tensor, Tensor> max(int64_t dim, bool keepdim = false) const {
    std::tuple<Tensor, Tensor> both;
    along("max", dim, keepdim, std::get<0>(both), std::get<1>(both));
    return both;
  }
  std::tuple<Tensor, Tensor> min(int64_t dim, bool keepdim = false) const {
    std::tuple<Tensor, Tensor> both;
    along("min", dim, keepdim, std::get<0>(both), std::get<1>(both));
    return both;
  }
#endif
  Tensor var(bool unbiased = true) const;
  Tensor var(IntArrayRef dims, bool unbiased, bool keepdim = false) const;

  Scalar item() const;
  template <class T>
  T item() const {
    return item().to<T>();
  }

 private:
  torch_slim::TensorFacts& facts() const;
  void drop();
  size_t wrapped(int64_t i) const;
  void* data_of(ScalarType wanted) const;
  void along(const char* name, int64_t dim, bool keepdim, Tensor& values, Tensor& indices) const;
  const Tensor& changed(const char* name, std::initializer_list<PyObject*> arguments = {}) const;

  torch_slim::TensorFacts* facts_ = nullptr;
};

using TensorList = ArrayRef<Tensor>;

}  // namespace at

namespace torch_slim {
Text& operator<<(Text& out, const at::Tensor& tensor);
}  // namespace torch_slim
