#include "engine/cuda/nvrtc.hpp"

#include <dlfcn.h>

#include <memory>

#include "engine/core/error.hpp"

namespace ridgeline::cuda {
namespace {

// Declared here, since nvrtc.h comes in another package than cuda.h. NVIDIA keeps this interface stable.
using Program = void*;
struct Nvrtc {
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*cubin_size)(Program, std::size_t*) = nullptr;
  int (*cubin)(Program, char*) = nullptr;
};

template <class Function>
void find_in_nvrtc(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (!function)
    throw MachineCannot(std::string("NVRTC lacks ") + name + "; fix: take that of CUDA 12 or newer");
}

Nvrtc load_nvrtc() {
  void* library = nullptr;
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
    if ((library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL))) break;
  if (!library)
    throw MachineCannot(
        "NVRTC is not found; fix: let LD_LIBRARY_PATH name the folder of libnvrtc.so, which comes "
        "with torch (nvidia-cuda-nvrtc) and with every toolkit");
  Nvrtc loaded;
  find_in_nvrtc(library, "nvrtcCreateProgram", loaded.create);
  find_in_nvrtc(library, "nvrtcCompileProgram", loaded.compile);
  find_in_nvrtc(library, "nvrtcDestroyProgram", loaded.destroy);
  find_in_nvrtc(library, "nvrtcGetProgramLogSize", loaded.log_size);
  find_in_nvrtc(library, "nvrtcGetProgramLog", loaded.log);
  find_in_nvrtc(library, "nvrtcGetCUBINSize", loaded.cubin_size);
  find_in_nvrtc(library, "nvrtcGetCUBIN", loaded.cubin);
  return loaded;
}

}  // namespace

std::vector<char> compile(const std::string& source, int major, int minor) {
  static const Nvrtc nvrtc = load_nvrtc();
  Program program = nullptr;
  if (nvrtc.create(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr) != 0)
    throw MachineCannot("NVRTC does not start");
  const auto release = [](Program* owned) { nvrtc.destroy(owned); };
  const std::unique_ptr<Program, decltype(release)> owner(&program, release);
  const std::string architecture = "--gpu-architecture=sm_" + std::to_string(major) + std::to_string(minor);
  const char* options[] = {architecture.c_str(), "--std=c++17"};
  if (nvrtc.compile(program, 2, options) != 0) {
    std::size_t size = 0;
    nvrtc.log_size(program, &size);
    std::string log(size, '\0');
    nvrtc.log(program, log.data());
    throw Error("NVRTC: " + log);
  }
  std::size_t size = 0;
  nvrtc.cubin_size(program, &size);
  std::vector<char> cubin(size);
  nvrtc.cubin(program, cubin.data());
  return cubin;
}

}  // namespace ridgeline::cuda
