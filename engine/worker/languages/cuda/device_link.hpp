// Finds out whether a CUDA toolkit can link device code, by linking a source of its own. A candidate's failed
// build does not tell: its log has whatever the source makes a compiler print (#error, #pragma message), and
// a failure that is the machine's costs a candidate nothing.
#pragma once

#include <mutex>
#include <optional>

#include "engine/worker/languages/cuda_toolchain.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline::languages {

/// Remembers what one toolkit can do. Threads: any number at once; they wait for the one that tries.
class DeviceLink {
 public:
  /// Returns whether the toolkit lacks nvlink or the device's runtime (libcudadevrt.a). The first call
  /// builds, which takes 2 to 4 s. A build that met a limit, or that did not come as far as the link, tells
  /// nothing: then it returns false, and the next call tries again. Throws MachineCannot.
  bool lacking(const Workshop& workshop, const CudaToolchain& toolchain);

 private:
  std::mutex mutex_;
  std::optional<bool> lacking_;
};

inline constexpr const char* no_device_link =
    "the source launches kernels from device code, and this CUDA toolkit lacks nvlink or libcudadevrt.a; "
    "install the whole toolkit, or `pip install nvidia-cuda-nvcc nvidia-cuda-runtime` of one version";

}  // namespace ridgeline::languages
