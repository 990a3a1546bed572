#include "engine/worker/judge/runners/cuda_policy.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace ridgeline::judge {

namespace {
/// Queues of the hardware that a context gets: launches on one stream use one. The driver's eight cost it 50
/// ms more at a context's start and 30 ms more at its end, and contexts start and end one after another.
constexpr const char* kConnections = "2";
}  // namespace

void admit_cuda(sandbox::Policy& policy, const std::optional<std::filesystem::path>& cupti) {
  policy.with_profile(sandbox::SeccompProfile::device_runner).with_proc(sandbox::ProcAccess::write);
  policy.env("CUDA_DEVICE_MAX_CONNECTIONS", kConnections);
  for (const auto& node : std::filesystem::directory_iterator("/dev"))
    if (node.path().filename().string().starts_with("nvidia"))
      policy.add(
          {.path = node.path().string(), .use = sandbox::PathUse::write, .device = true, .optional = true});
  for (const char* folder :
       {"/usr/local/nvidia", "/sys/devices", "/sys/bus/pci", "/sys/module/nvidia", "/proc/driver/nvidia"})
    policy.add({.path = folder, .use = sandbox::PathUse::read, .optional = true});
  // CUPTI finds what it is made of by the loader's path, not beside itself.
  std::string search = cupti ? cupti->parent_path().string() : "";
  if (cupti) policy.add({.path = search, .optional = true});  // one that is gone is told by the loader
  // The driver's library may lie anywhere that the loader was told of; where a toolkit's lie, whose kernels
  // are none of the candidate's, there is nothing to see.
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) {
    search += (search.empty() ? "" : ":") + std::string(path);
    std::istringstream folders{path};
    for (std::string folder; std::getline(folders, folder, ':');)
      if (folder.starts_with('/') && std::filesystem::exists(folder + "/libcuda.so.1"))
        policy.add({.path = folder, .use = sandbox::PathUse::read, .optional = true});
  }
  if (!search.empty()) policy.env("LD_LIBRARY_PATH", search);
}

}  // namespace ridgeline::judge
