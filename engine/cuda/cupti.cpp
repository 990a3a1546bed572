#include "engine/cuda/cupti.hpp"

#include <dlfcn.h>

#include "engine/core/error.hpp"

namespace ridgeline::cuda {
namespace {

template <class Function>
void find_in_cupti(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (!function)
    throw MachineCannot(std::string("CUPTI lacks ") + name +
                        "; fix: take that of CUDA 13 (pip: nvidia-cuda-cupti)");
}

/// Says what a person can do about a refusal; "" where nothing is known.
const char* advice_for(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "; fix: load NVIDIA's kernel module with NVreg_RestrictProfilingToAdminUsers=0";
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "; fix: end the profiler that runs beside (ncu, nsys, cuda-gdb)";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "; fix: let the hypervisor pass the counters through";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return "; fix: use a whole device, not a slice of one";
    default:
      return "";
  }
}

}  // namespace

void Cupti::check(CUptiResult result, const char* what) const {
  if (result == CUPTI_SUCCESS) return;
  const char* text = nullptr;
  cuptiGetResultString(result, &text);
  throw CuptiRefused(result, std::string(what) + ": " +
                                 (text ? text : "CUPTI error " + std::to_string(result)) +
                                 advice_for(result));
}

Cupti load_cupti(const std::string& path) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw MachineCannot(std::string("CUPTI does not load: ") + ::dlerror());
  Cupti loaded;
#define RIDGELINE_CUPTI_FIND(name) find_in_cupti(library, #name, loaded.name);
  RIDGELINE_CUPTI_FUNCTIONS(RIDGELINE_CUPTI_FIND)
#undef RIDGELINE_CUPTI_FIND
  return loaded;
}

}  // namespace ridgeline::cuda
