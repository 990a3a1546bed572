// Devices, memory formats and TensorOptions, with their Python objects.
#pragma once

#include "torch_slim/array_ref.h"
#include "torch_slim/scalar_type.h"

namespace c10 {

using DeviceIndex = int8_t;
enum class DeviceType : int8_t { CPU = 0, CUDA = 1 };
inline constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;

class Device {
 public:
  constexpr Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}
  /// "cpu", "cuda", "cuda:1".
  Device(const char* name);
#ifdef _GLIBCXX_STRING
  Device(const std::string& name) : Device(name.c_str()) {}
#endif
  constexpr DeviceType type() const { return type_; }
  constexpr DeviceIndex index() const { return index_; }
  constexpr bool has_index() const { return index_ != -1; }
  constexpr bool is_cuda() const { return type_ == kCUDA; }
  constexpr bool is_cpu() const { return type_ == kCPU; }
#ifdef _GLIBCXX_STRING
  std::string str() const {
    return is_cpu() ? "cpu" : has_index() ? "cuda:" + std::to_string(index_) : "cuda";
  }
#endif
  friend constexpr bool operator==(Device a, Device b) { return a.type_ == b.type_ && a.index_ == b.index_; }
  friend constexpr bool operator!=(Device a, Device b) { return !(a == b); }

 private:
  DeviceType type_;
  DeviceIndex index_ = -1;
};

enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
enum class Layout : int8_t { Strided };
inline constexpr Layout kStrided = Layout::Strided;

struct TensorOptions {
  constexpr TensorOptions() = default;
  constexpr TensorOptions(ScalarType type) : dtype_(type) {}
  constexpr TensorOptions(caffe2::TypeMeta type) : dtype_(type.toScalarType()) {}
  constexpr TensorOptions(Device device) : device_(device), has_device_(true) {}
  constexpr TensorOptions(DeviceType device) : TensorOptions(Device(device)) {}
  constexpr TensorOptions(MemoryFormat format) : format_(format), has_format_(true) {}
  constexpr TensorOptions(Layout) {}

  constexpr TensorOptions dtype(caffe2::TypeMeta type) const {
    TensorOptions changed = *this;
    changed.dtype_ = type.toScalarType();
    return changed;
  }
  constexpr TensorOptions dtype(ScalarType type) const { return dtype(caffe2::TypeMeta(type)); }
  template <class T>
  constexpr TensorOptions dtype() const {
    return dtype(CppTypeToScalarType<T>::value);
  }
  constexpr TensorOptions device(Device device) const {
    TensorOptions changed = *this;
    changed.device_ = device;
    changed.has_device_ = true;
    return changed;
  }
  constexpr TensorOptions device(DeviceType type, DeviceIndex index = -1) const {
    return device(Device(type, index));
  }
  constexpr TensorOptions device_index(DeviceIndex index) const { return device(kCUDA, index); }
  constexpr TensorOptions requires_grad(bool value) const {
    TensorOptions changed = *this;
    changed.requires_grad_ = value;
    return changed;
  }
  constexpr TensorOptions pinned_memory(bool value) const {
    TensorOptions changed = *this;
    changed.pinned_ = value;
    return changed;
  }
  constexpr TensorOptions layout(Layout) const { return *this; }
  constexpr TensorOptions memory_format(MemoryFormat format) const {
    TensorOptions changed = *this;
    changed.format_ = format;
    changed.has_format_ = true;
    return changed;
  }
  constexpr caffe2::TypeMeta dtype() const { return dtype_ == ScalarType::Undefined ? kFloat : dtype_; }
  constexpr Device device() const { return device_; }
  constexpr bool requires_grad() const { return requires_grad_; }
  constexpr bool pinned_memory() const { return pinned_; }
  constexpr bool has_dtype() const { return dtype_ != ScalarType::Undefined; }
  constexpr bool has_device() const { return has_device_; }
  constexpr bool has_memory_format() const { return has_format_; }
  constexpr MemoryFormat memory_format() const { return format_; }

 private:
  ScalarType dtype_ = ScalarType::Undefined;
  Device device_{kCPU};
  MemoryFormat format_ = MemoryFormat::Contiguous;
  bool has_device_ = false, has_format_ = false, requires_grad_ = false, pinned_ = false;
};

inline TensorOptions dtype(caffe2::TypeMeta type) {
  return TensorOptions(type);
}
inline TensorOptions dtype(ScalarType type) {
  return TensorOptions(type);
}
inline TensorOptions device(Device where) {
  return TensorOptions(where);
}
inline TensorOptions device(DeviceType where) {
  return TensorOptions(where);
}
inline TensorOptions requires_grad(bool value = true) {
  return TensorOptions().requires_grad(value);
}

}  // namespace c10

namespace torch_slim {

Text& operator<<(Text& out, c10::DeviceType type);
Text& operator<<(Text& out, c10::Device device);

}  // namespace torch_slim
