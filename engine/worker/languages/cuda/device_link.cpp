#include "engine/worker/languages/cuda/device_link.hpp"

#include <string>
#include <vector>

namespace ridgeline::languages {
namespace {

/// Needs what a kernel needs that launches kernels: the linker, and the runtime's half for the device.
constexpr const char* kLaunching =
    "__global__ void launched() {}\n__global__ void launching() { launched<<<1, 1>>>(); }\n";

/// Empty if the toolkit was not put to the test.
std::optional<bool> links_device_code(const Workshop& workshop, const CudaToolchain& toolchain) {
  const auto scratch = workshop.scratch();
  scratch.write("launching.cu", kLaunching);
  const auto nvcc = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = {toolchain.program, "-ccbin", toolchain.host.program};
    all.insert(all.end(), words.begin(), words.end());
    return workshop.start(nvcc_policy(toolchain, workshop.settings().isolation, scratch.path().string()),
                          scratch, all);
  };
  if (!nvcc({"-rdc=true", "-c", "launching.cu", "-o", "launching.o"}).ok()) return std::nullopt;
  const auto linked = nvcc({"-dlink", "launching.o", "-o", "linked.o"});
  if (linked.ending != sandbox::Ending::exited) return std::nullopt;
  return linked.ok();
}

}  // namespace

bool DeviceLink::lacking(const Workshop& workshop, const CudaToolchain& toolchain) {
  if (toolchain.program.empty()) return false;  // a builder of C++ alone
  const std::lock_guard lock{mutex_};
  if (!lacking_)
    if (const auto links = links_device_code(workshop, toolchain)) lacking_ = !*links;
  return lacking_.value_or(false);
}

}  // namespace ridgeline::languages
