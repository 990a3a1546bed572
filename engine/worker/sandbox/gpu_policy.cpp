#include "engine/worker/sandbox/gpu_policy.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace ridgeline::sandbox {

namespace {
/// Hardware queues of a context; launches on one stream use one. The driver's default of eight makes a
/// context start 50 ms and end 30 ms later, and contexts of runners start and end one after another.
constexpr const char* kConnections = "2";
}  // namespace

void admit_gpu(Policy& policy, const std::optional<std::filesystem::path>& cupti) {
  policy.with_profile(SeccompProfile::device_runner).with_proc(ProcAccess::write);
  policy.env("CUDA_DEVICE_MAX_CONNECTIONS", kConnections);
  for (const auto& node : std::filesystem::directory_iterator("/dev"))
    if (node.path().filename().string().starts_with("nvidia"))
      policy.add({.path = node.path().string(), .use = PathUse::write, .device = true, .optional = true});
  for (const char* folder :
       {"/usr/local/nvidia", "/sys/devices", "/sys/bus/pci", "/sys/module/nvidia", "/proc/driver/nvidia"})
    policy.add({.path = folder, .use = PathUse::read, .optional = true});
  // CUPTI finds its own parts by the loader's path, not beside itself.
  std::string search = cupti ? cupti->parent_path().string() : "";
  if (cupti) policy.add({.path = search, .optional = true});  // the loader reports a missing one
  // The driver's library may lie in any folder of the loader's path. Folders that hold a toolkit's libraries
  // only stay hidden: their kernels are not the candidate's to call.
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) {
    search += (search.empty() ? "" : ":") + std::string(path);
    std::istringstream folders{path};
    for (std::string folder; std::getline(folders, folder, ':');)
      if (folder.starts_with('/') && std::filesystem::exists(folder + "/libcuda.so.1"))
        policy.add({.path = folder, .use = PathUse::read, .optional = true});
  }
  if (!search.empty()) policy.env("LD_LIBRARY_PATH", search);
}

}  // namespace ridgeline::sandbox
