#include "engine/verifier/torch_setup.hpp"

#include <dlfcn.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/jit/codegen/fuser/interface.h>
#include <torch/csrc/jit/passes/tensorexpr_fuser.h>
#include <torch/csrc/jit/python/update_graph_executor_opt.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/headeronly/version.h>

#include "engine/core/error.hpp"

namespace ridgeline::verifier {

void make_deterministic(int threads) {
  at::set_num_threads(threads);
  if (at::get_num_interop_threads() != 1)
    at::set_num_interop_threads(1);  // torch allows it only once a process

  torch::jit::getExecutorMode() = false;
  torch::jit::getProfilingMode() = false;
  torch::jit::setGraphExecutorOptimize(false);
  torch::jit::setTensorExprFuserEnabled(false);
  torch::jit::overrideCanFuseOnCPU(false);

  auto& context = at::globalContext();
  context.setFloat32MatmulPrecision("highest");
  context.setAllowTF32CuBLAS(false);
  context.setAllowTF32CuDNN(false);
  context.setUserEnabledMkldnn(true);
  at::Context::setFlushDenormal(false);
}

namespace {

/// Says why torch finds no device, in the words of the CUDA runtime that it brought.
std::string why_no_device() {
  const auto count = reinterpret_cast<int (*)(int*)>(::dlsym(RTLD_DEFAULT, "cudaGetDeviceCount"));
  const auto text = reinterpret_cast<const char* (*)(int)>(::dlsym(RTLD_DEFAULT, "cudaGetErrorString"));
  int found = 0;
  if (!count || !text) return " (nor the CUDA runtime)";
  if (const int error = count(&found); error != 0) return std::string(" (") + text(error) + ")";
  return "";
}

}  // namespace

void load_cuda_half(int device) {
  // The CPU half must see the CUDA half's symbols, since those register with its dispatcher.
  if (!::dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL))
    throw MachineCannot(std::string("LibTorch's CUDA half does not load: ") + ::dlerror() +
                        "; fix: let RIDGELINE_TORCH name a torch " TORCH_VERSION " built for CUDA");
  if (!at::globalContext().hasCUDA())
    throw MachineCannot("LibTorch's CUDA half is loaded and finds no device" + why_no_device() +
                        "; fix: see whether its CUDA version fits the driver");
  at::globalContext().lazyInitDevice(at::kCUDA);
  const c10::impl::VirtualGuardImpl guard(at::kCUDA);
  guard.setDevice(at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device)));
}

std::string torch_version() {
  return TORCH_VERSION;
}

}  // namespace ridgeline::verifier
