// The current stream, device guards and checks of CUDA's results.
#pragma once

#include <cuda_runtime_api.h>

#include "torch_slim/operators.h"

namespace torch_slim {

[[noreturn]] inline void fail_cuda(const char* words) {
  const Ref kind(PyObject_GetAttrString(torch_module(), "AcceleratorError"));
  if (!kind) PyErr_Clear();
  // Held for good: it is the type of an exception that may be thrown after this function.
  static PyObject* type = nullptr;
  if (!type && kind) Py_IncRef(type = kind.get());
  throw c10::Error(type ? type : PyExc_RuntimeError, text("CUDA error: ", words));
}
inline void check_cuda(cudaError_t error) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  fail_cuda(cudaGetErrorString(error));
}

}  // namespace torch_slim

#define C10_CUDA_CHECK(expression) ::torch_slim::check_cuda(expression)
#define AT_CUDA_CHECK(expression) C10_CUDA_CHECK(expression)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())

namespace c10 {

namespace cuda {

class CUDAStream {
 public:
  CUDAStream(cudaStream_t stream, DeviceIndex index) : stream_(stream), index_(index) {}
  cudaStream_t stream() const { return stream_; }
  operator cudaStream_t() const { return stream_; }
  DeviceIndex device_index() const { return index_; }
  Device device() const { return Device(kCUDA, index_); }
  void synchronize() const { torch_slim::check_cuda(cudaStreamSynchronize(stream_)); }
  friend bool operator==(CUDAStream a, CUDAStream b) {
    return a.stream_ == b.stream_ && a.index_ == b.index_;
  }
  friend bool operator!=(CUDAStream a, CUDAStream b) { return !(a == b); }

 private:
  cudaStream_t stream_;
  DeviceIndex index_;
};

inline DeviceIndex current_device() {
  int device = 0;
  torch_slim::check_cuda(cudaGetDevice(&device));
  return static_cast<DeviceIndex>(device);
}
inline void set_device(DeviceIndex device) {
  torch_slim::check_cuda(cudaSetDevice(device));
}
inline DeviceIndex device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? static_cast<DeviceIndex>(count) : DeviceIndex{0};
}

/// torch.cuda.current_stream(index), as every kernel of a well-behaved extension asks for.
inline CUDAStream getCurrentCUDAStream(DeviceIndex index = -1) {
  if (index == -1) index = current_device();
  static PyObject* const cuda =
      torch_slim::checked(PyObject_GetAttrString(torch_slim::torch_module(), "cuda"));
  const torch_slim::Ref stream(torch_slim::call(cuda, "current_stream", {torch_slim::to_python(int{index})}));
  const torch_slim::Ref handle(torch_slim::checked(PyObject_GetAttrString(stream.get(), "cuda_stream")));
  return {reinterpret_cast<cudaStream_t>(torch_slim::as_integer(handle.get())), index};
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex index = -1) {
  return {nullptr, index == -1 ? current_device() : index};
}

/// Makes a device current for a scope.
class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex index) : before_(current_device()), now_(index) { set_device(index); }
  explicit CUDAGuard(Device device) : CUDAGuard(device.has_index() ? device.index() : current_device()) {}
  CUDAGuard(const CUDAGuard&) = delete;
  ~CUDAGuard() { cudaSetDevice(before_); }
  void set_index(DeviceIndex index) { set_device(now_ = index); }
  void set_device_of(const at::Tensor& tensor) { set_index(tensor.device().index()); }
  Device original_device() const { return Device(kCUDA, before_); }
  Device current_device_of() const { return Device(kCUDA, now_); }

 private:
  DeviceIndex before_, now_;
};

/// As CUDAGuard where there is a CUDA device to guard, else nothing.
class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(Device device) {
    if (!device.is_cuda()) torch_slim::fail(torch_slim::text("Expected a CUDA device, but got ", device));
    before_ = current_device();
    if (device.has_index()) set_device(device.index());
  }
  explicit OptionalCUDAGuard(DeviceIndex index) : OptionalCUDAGuard(Device(kCUDA, index)) {}
  OptionalCUDAGuard(const OptionalCUDAGuard&) = delete;
  ~OptionalCUDAGuard() {
    if (before_ >= 0) cudaSetDevice(before_);
  }

 private:
  DeviceIndex before_ = -1;
};

}  // namespace cuda
}  // namespace c10

namespace at {
/// For tensors on the CPU a guard of nothing.
class DeviceGuard {
 public:
  explicit DeviceGuard(Device device)
      : before_(device.is_cuda() ? c10::cuda::current_device() : DeviceIndex{-1}) {
    if (device.is_cuda() && device.has_index()) c10::cuda::set_device(device.index());
  }
  DeviceGuard(const DeviceGuard&) = delete;
  ~DeviceGuard() {
    if (before_ >= 0) cudaSetDevice(before_);
  }

 private:
  DeviceIndex before_;
};
using OptionalDeviceGuard = DeviceGuard;

namespace cuda {
using namespace c10::cuda;
inline cudaDeviceProp* getDeviceProperties(DeviceIndex index) {
  static cudaDeviceProp properties[64];
  static bool known[64];
  if (!known[index]) {
    torch_slim::check_cuda(cudaGetDeviceProperties(&properties[index], index));
    known[index] = true;
  }
  return &properties[index];
}
inline cudaDeviceProp* getCurrentDeviceProperties() {
  return getDeviceProperties(current_device());
}
#ifdef CUBLAS_V2_H_
/// Torch's own handle, with its stream and math mode.
inline cublasHandle_t getCurrentCUDABlasHandle() {
  const torch_slim::Ref cuda(torch_slim::checked(PyObject_GetAttrString(torch_slim::torch_module(), "cuda")));
  const torch_slim::Ref handle(torch_slim::call(cuda.get(), "current_blas_handle", {}));
  return reinterpret_cast<cublasHandle_t>(torch_slim::as_integer(handle.get()));
}
#define TORCH_CUDABLAS_CHECK(expression)                                \
  do {                                                                  \
    if ((expression) != CUBLAS_STATUS_SUCCESS)                          \
      ::torch_slim::fail_cuda("a call of cuBLAS failed: " #expression); \
  } while (false)
#endif
}  // namespace cuda
}  // namespace at
