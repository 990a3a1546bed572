#include "engine/campaign/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ridgeline::campaign {
namespace {

/// The compiler's own line and the flags it is called with: what a programmer needs to know of it.
std::string toolchain_text(const std::string& version, const std::vector<std::string>& flags) {
  return flags.empty() ? version : fmt::format("{} {}", version, fmt::join(flags, " "));
}

std::string compiler_text(const CampaignConfig& config) {
  if (config.language == Language::torch) return "Python with PyTorch";
  return toolchain_text(config.language == Language::cuda ? "nvcc" : "g++", config.worker.flags);
}

}  // namespace

prompts::Machine machine_of(const protocol::Hello& hello, const CampaignConfig& config) {
  prompts::Machine machine;
  const auto device = std::ranges::find(hello.devices, config.worker.backend, &protocol::Device::backend);
  const auto name = device != hello.devices.end() ? device->name : config.worker.backend;
  machine.device = config.worker.backend == "cpu" ? fmt::format("one thread of a CPU ({})", name) : name;
  const auto toolchain = std::ranges::find(hello.toolchains, std::string(to_string(config.language)),
                                           &protocol::Toolchain::language);
  if (toolchain == hello.toolchains.end()) return {machine.device, unknown_machine(config).toolchain};
  machine.toolchain =
      config.language == Language::torch
          ? toolchain->version
          : toolchain_text(toolchain->version,
                           config.worker.flags.empty() ? toolchain->flags : config.worker.flags);
  return machine;
}

prompts::Machine unknown_machine(const CampaignConfig& config) {
  const bool cpu = config.worker.backend == "cpu";
  if (!config.worker.device.empty()) return {config.worker.device, compiler_text(config)};
  return {cpu ? "one thread of an x86-64 CPU with AVX2" : "an NVIDIA GPU", compiler_text(config)};
}

}  // namespace ridgeline::campaign
