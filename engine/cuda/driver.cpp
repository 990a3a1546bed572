#include "engine/cuda/driver.hpp"

#include <dlfcn.h>

#include "engine/core/error.hpp"

namespace ridgeline::cuda {
namespace {

// Two levels of macros, so that cuda.h's own macros (cuMemAlloc is cuMemAlloc_v2) are expanded first.
#define RIDGELINE_TEXT_OF(name) #name
#define RIDGELINE_TEXT(name) RIDGELINE_TEXT_OF(name)

template <class Function>
void find_in_driver(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (!function)
    throw MachineCannot(std::string("the CUDA driver lacks ") + name +
                        "; fix: install a driver for CUDA 12 or newer");
}

Driver load_driver() {
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw MachineCannot(std::string("no CUDA driver (") + ::dlerror() +
                        "); fix: install NVIDIA's driver, or let LD_LIBRARY_PATH name its folder");
  Driver loaded;
#define RIDGELINE_CUDA_FIND(name) find_in_driver(library, RIDGELINE_TEXT(name), loaded.name);
  RIDGELINE_CUDA_FUNCTIONS(RIDGELINE_CUDA_FIND)
#undef RIDGELINE_CUDA_FIND
  loaded.cuCtxRecordEvent =
      reinterpret_cast<decltype(loaded.cuCtxRecordEvent)>(::dlsym(library, "cuCtxRecordEvent"));
  loaded.cuCtxWaitEvent =
      reinterpret_cast<decltype(loaded.cuCtxWaitEvent)>(::dlsym(library, "cuCtxWaitEvent"));
  if (const auto result = loaded.cuInit(0); result != CUDA_SUCCESS)
    throw MachineCannot("the CUDA driver does not start (cuInit returned " + std::to_string(result) +
                        "); fix: see whether nvidia-smi works, and whether /dev/nvidia* may be opened");
  return loaded;
}

}  // namespace

const Driver& driver() {
  static const Driver loaded = load_driver();
  return loaded;
}

std::string error_text(CUresult result) {
  const char *name = nullptr, *text = nullptr;
  driver().cuGetErrorName(result, &name);
  driver().cuGetErrorString(result, &text);
  return std::string(name ? name : "an unknown CUDA error") + ": " + (text ? text : std::to_string(result));
}

void check(CUresult result, const char* what) {
  if (result != CUDA_SUCCESS) throw MachineCannot(std::string(what) + ": " + error_text(result));
}

}  // namespace ridgeline::cuda
