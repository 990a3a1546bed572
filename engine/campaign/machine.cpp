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
  if (config.language == Language::triton) return "Python with PyTorch and Triton";
  if (config.language == Language::torch)
    return config.worker.backend == "cuda" ? "Python with PyTorch and nvcc" : "Python with PyTorch";
  return toolchain_text(config.language == Language::cuda ? "nvcc" : "g++", config.worker.flags);
}

}  // namespace

prompts::Machine machine_of(const protocol::Hello& hello, const CampaignConfig& config) {
  prompts::Machine machine;
  machine.backend = config.worker.backend;
  const auto device = std::ranges::find(hello.devices, config.worker.backend, &protocol::Device::backend);
  const auto name = device != hello.devices.end() ? device->name : config.worker.backend;
  machine.device = config.worker.backend == "cpu" ? fmt::format("one thread of a CPU ({})", name) : name;
  machine.toolchain = unknown_machine(config).toolchain;
  const auto toolchain_for = [&](Language language) {
    const auto found =
        std::ranges::find(hello.toolchains, std::string(to_string(language)), &protocol::Toolchain::language);
    return found == hello.toolchains.end() ? nullptr : &*found;
  };
  if (is_module(config.language)) {
    // What a module calls beside torch: triton's kernels, or CUDA that nvcc builds.
    const auto* python = toolchain_for(Language::torch);
    if (!python) return machine;
    machine.toolchain = python->version;
    const auto* triton = toolchain_for(Language::triton);
    const auto* nvcc = toolchain_for(Language::cuda);
    if (config.language == Language::triton && triton) machine.toolchain += ", triton " + triton->version;
    if (config.language == Language::torch && machine.backend == "cuda" && nvcc)
      machine.toolchain += ", " + nvcc->version;
  } else if (const auto* compiler = toolchain_for(config.language)) {
    machine.toolchain = toolchain_text(compiler->version,
                                       config.worker.flags.empty() ? compiler->flags : config.worker.flags);
  }
  return machine;
}

evaluation::Requirements requirements_of(const CampaignConfig& config) {
  evaluation::Requirements wanted{
      {std::string(to_string(config.language))}, config.worker.isolation, config.worker.backend};
  // Prompts ask for CUDA C++ there: without its compiler every answer would be paid for and fail.
  if (config.language == Language::torch && config.worker.backend == "cuda")
    wanted.languages.emplace_back(to_string(Language::cuda));
  const std::string torch(to_string(Language::torch));
  if (config.worker.torch_compile && wanted.languages.front() != torch) wanted.languages.push_back(torch);
  return wanted;
}

prompts::Machine unknown_machine(const CampaignConfig& config) {
  const bool cpu = config.worker.backend == "cpu";
  const std::string device = !config.worker.device.empty() ? config.worker.device
                             : cpu                         ? "one thread of an x86-64 CPU with AVX2"
                                                           : "an NVIDIA GPU";
  return {device, compiler_text(config), config.worker.backend};
}

}  // namespace ridgeline::campaign
