#include "engine/campaign/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::campaign {
namespace {

std::string flags_text(const CampaignConfig& config) {
  if (config.worker.flags.empty())
    return config.language == Language::cpp ? "-O3 -march=native -std=c++20" : "";
  std::string text;
  for (const auto& flag : config.worker.flags) text += (text.empty() ? "" : " ") + flag;
  return text;
}

}  // namespace

prompts::Machine machine_of(const protocol::Hello& hello, const CampaignConfig& config) {
  prompts::Machine machine;
  const auto device = std::find_if(hello.devices.begin(), hello.devices.end(),
                                   [&](const auto& one) { return one.backend == config.worker.backend; });
  const auto name = device != hello.devices.end() ? device->name : config.worker.backend;
  machine.device = config.worker.backend == "cpu" ? fmt::format("one thread of a CPU ({})", name) : name;
  if (!hello.toolchains.empty()) {
    const auto& toolchain = hello.toolchains.front();
    machine.toolchain = fmt::format("{} {} {}", toolchain.name, toolchain.version, flags_text(config));
  } else {
    machine.toolchain = flags_text(config);
  }
  return machine;
}

prompts::Machine unknown_machine(const CampaignConfig& config) {
  return {config.worker.backend == "cpu" ? "one thread of an x86-64 CPU with AVX2" : "an NVIDIA GPU",
          fmt::format("g++ {}", flags_text(config))};
}

}  // namespace ridgeline::campaign
