#include "engine/worker/sandbox/gpu_policy.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace ridgeline::sandbox {

namespace {
/// Hardware queues of a context; launches on one stream use one. The driver's default of eight makes a
/// context start 50 ms and end 30 ms later, and contexts of runners start and end one after another.
constexpr const char* kConnections = "2";

/// Whether a node's name is that of one GPU ("nvidia0"), and not of the driver ("nvidiactl", "nvidia-uvm").
bool is_card(std::string_view name) {
  constexpr std::string_view begin = "nvidia";
  return name.size() > begin.size() && name.starts_with(begin) &&
         std::ranges::all_of(name.substr(begin.size()), [](unsigned char c) { return std::isdigit(c) != 0; });
}
}  // namespace

std::string card_node(const std::string& bus_id, const std::filesystem::path& driver,
                      const std::filesystem::path& nodes) {
  if (bus_id.empty() || bus_id.find('/') != std::string::npos) return {};
  std::string id = bus_id;
  std::ranges::transform(id, id.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::ifstream facts(driver / "gpus" / id / "information");
  constexpr std::string_view minor = "Device Minor:";
  for (std::string line; std::getline(facts, line);) {
    if (!line.starts_with(minor)) continue;
    std::string number;
    std::istringstream(line.substr(minor.size())) >> number;
    const auto node = nodes / ("nvidia" + number);
    bool there = false, others = false;
    for (const auto& one : std::filesystem::directory_iterator(nodes))
      if (is_card(one.path().filename().string())) (one.path() == node ? there : others) = true;
    return there && others ? node.string() : std::string();
  }
  return {};
}

void admit_gpu(Policy& policy, const std::optional<std::filesystem::path>& cupti, const std::string& card) {
  policy.with_profile(SeccompProfile::device_runner).with_proc(ProcAccess::write);
  policy.env("CUDA_DEVICE_MAX_CONNECTIONS", kConnections);
  for (const auto& node : std::filesystem::directory_iterator("/dev"))
    if (const auto name = node.path().filename().string();
        name.starts_with("nvidia") && (card.empty() || !is_card(name) || node.path() == card))
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
