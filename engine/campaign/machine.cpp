#include "engine/campaign/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ridgeline::campaign {
namespace {

/// Returns the compiler's own version line and the flags it is called with.
std::string toolchain_text(const std::string& version, const std::vector<std::string>& flags) {
  return flags.empty() ? version : fmt::format("{} {}", version, fmt::join(flags, " "));
}

/// Returns the second language that answers may contain on this backend: inline CUDA in a PyTorch module.
std::optional<Language> inlined_language(const CampaignConfig& config) {
  return config.worker.backend == "cuda" ? traits(config.language).inlines_on_gpu : std::nullopt;
}

/// Returns the flags of the campaign, else `usual`. An interpreter is called without flags.
std::vector<std::string> flags_of(const CampaignConfig& config, const std::vector<std::string>& usual) {
  if (traits(config.language).runtime == Runtime::interpreter) return {};
  return config.worker.flags.empty() ? usual : config.worker.flags;
}

std::string compiler_text(const CampaignConfig& config) {
  const std::string tools(traits(config.language).tools);
  const auto other = inlined_language(config);
  return toolchain_text(other ? fmt::format("{} and {}", tools, traits(*other).tools) : tools,
                        flags_of(config, {}));
}

}  // namespace

prompts::Machine machine_of(const protocol::Hello& hello, const CampaignConfig& config) {
  prompts::Machine machine;
  machine.backend = config.worker.backend;
  const auto device = std::ranges::find(hello.devices, config.worker.backend, &protocol::Device::backend);
  const auto name = device != hello.devices.end() ? device->name : config.worker.backend;
  machine.device = config.worker.backend == "cpu" ? fmt::format("one thread of a CPU ({})", name) : name;
  machine.toolchain = machine_without_hello(config).toolchain;
  const auto toolchain_for = [&](Language language) {
    const auto reported =
        std::ranges::find(hello.toolchains, std::string(to_string(language)), &protocol::Toolchain::language);
    return reported == hello.toolchains.end() ? nullptr : &*reported;
  };
  // Triton's kernels are called through torch, whose version comes first; inline CUDA's nvcc is added last.
  const auto first = traits(config.language).beside.value_or(config.language);
  const auto* compiler = toolchain_for(first);
  if (!compiler) return machine;
  machine.toolchain = toolchain_text(compiler->version, flags_of(config, compiler->flags));
  const auto add = [&](Language language, std::string_view before) {
    if (const auto* other = toolchain_for(language))
      machine.toolchain += fmt::format(", {}{}", before, other->version);
  };
  if (first != config.language) add(config.language, fmt::format("{} ", to_string(config.language)));
  if (const auto other = inlined_language(config)) add(*other, "");
  return machine;
}

evaluation::Requirements requirements_of(const CampaignConfig& config) {
  evaluation::Requirements wanted{
      {std::string(to_string(config.language))}, config.worker.isolation, config.worker.backend};
  // Prompts invite inline CUDA: without its compiler every such answer would be paid for and fail.
  if (const auto other = inlined_language(config)) wanted.languages.emplace_back(to_string(*other));
  const std::string torch(to_string(Language::torch));  // what a compiled baseline is judged as
  if (config.worker.torch_compile && wanted.languages.front() != torch) wanted.languages.push_back(torch);
  return wanted;
}

prompts::Machine machine_without_hello(const CampaignConfig& config) {
  const bool cpu = config.worker.backend == "cpu";
  const std::string device = !config.worker.device.empty() ? config.worker.device
                             : cpu                         ? "one thread of an x86-64 CPU with AVX2"
                                                           : "an NVIDIA GPU";
  return {device, compiler_text(config), config.worker.backend};
}

}  // namespace ridgeline::campaign
