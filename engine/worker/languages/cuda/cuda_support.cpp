#include "engine/worker/languages/cuda/cuda_support.hpp"

#include <utility>

#include "engine/worker/languages/cuda/cuda_compiler.hpp"
#include "engine/worker/languages/flags/cuda_architecture.hpp"

namespace ridgeline::languages {
namespace {

BuildSettings with_cuda_limits(BuildSettings settings) {
  settings.limits = default_cuda_build_limits();
  return settings;
}

class CudaBuilder final : public LanguageBuilder {
 public:
  explicit CudaBuilder(const BuilderMeans& means)
      : compiler_(*means.tools.nvcc, with_cuda_limits(means.settings)), architecture_(means.architecture) {}

  BuildResult build(const protocol::Evaluate& request) const override {
    const auto& asked = request.settings.build_flags;
    const auto device = architecture_();
    auto flags = asked.empty() ? default_cuda_flags(device) : with_values_joined(asked);
    if (!first_forbidden_cuda(flags)) {
      auto fitted = fit_architectures(flags, device);
      if (auto* why = std::get_if<FitsNoDevice>(&fitted))
        return BuildFailure{Reason::compile_error, std::move(*why), {}, flags};
      flags = with_architecture(std::get<FittedFlags>(std::move(fitted)), device);
    }
    return compiler_.build(request.task, request.candidate, flags);
  }
  void warm_up() const override { compiler_.warm_up(); }

 private:
  CudaCompiler compiler_;
  std::function<std::string()> architecture_;  // asked for each build: the first may come before it is known
};

class CudaSupport final : public LanguageSupport {
 public:
  Language language() const override { return Language::cuda; }
  std::string missing(const MachineTools& tools) const override {
    return tools.nvcc ? "" : tools.host ? no_nvcc : no_compiler;
  }
  std::string shortfall(const MachineTools& tools) const override {
    return tools.host ? missing(tools) : "";  // nvcc is only looked for beside a compiler that it can use
  }
  std::optional<protocol::Toolchain> toolchain(const MachineTools& tools,
                                               const std::string& architecture) const override {
    if (!tools.nvcc) return std::nullopt;
    return protocol::Toolchain{"nvcc", tools.nvcc->version, tools.nvcc->program, "cuda",
                               default_cuda_flags(architecture)};
  }
  std::string compiler(const MachineTools& tools) const override { return tools.nvcc->version; }
  std::unique_ptr<LanguageBuilder> make_builder(BuilderMeans& means) const override {
    return std::make_unique<CudaBuilder>(means);
  }
};

}  // namespace

const LanguageSupport& cuda_support() {
  static const CudaSupport support;
  return support;
}

}  // namespace ridgeline::languages
