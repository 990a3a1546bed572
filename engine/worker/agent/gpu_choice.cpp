#include "engine/worker/agent/gpu_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/core/error.hpp"

namespace ridgeline::agent {

std::string device_selector(const protocol::Device& device) {
  return fmt::format("{}:{}", device.backend, device.index);
}

std::size_t gpu_count(const protocol::Described& described) {
  return static_cast<std::size_t>(
      std::ranges::count_if(described.devices, [](const auto& one) { return one.backend == "cuda"; }));
}

std::vector<protocol::Device> chosen_gpus(protocol::Described& described,
                                          const std::vector<std::string>& wanted) {
  std::vector<protocol::Device> chosen;
  std::vector<std::string> there;
  for (const auto& device : described.devices) {
    if (device.backend != "cuda") continue;
    there.push_back(device_selector(device));
    if (!wanted.empty() && std::ranges::find(wanted, there.back()) == wanted.end()) continue;
    if (!chosen.empty() && device.architecture != chosen.front().architecture) {
      described.shortfalls.push_back(fmt::format(
          "{} ({}) is not used: candidates are built for {}, that of {}; fix: a worker of its own, with "
          "--devices {}",
          there.back(), device.architecture, chosen.front().architecture, device_selector(chosen.front()),
          there.back()));
      continue;
    }
    chosen.push_back(device);
  }
  for (const auto& name : wanted)
    if (std::ranges::find(there, name) == there.end())
      throw BadInput(fmt::format("--devices: there is no {} here; {}", name,
                                 there.empty() ? "this machine has no GPU that CUDA offers"
                                               : fmt::format("there are {}", fmt::join(there, ", "))));
  return chosen;
}

}  // namespace ridgeline::agent
