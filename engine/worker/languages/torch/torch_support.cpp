#include "engine/worker/languages/torch/torch_support.hpp"

#include <mutex>

#include "engine/torch_slim/misses.hpp"
#include "engine/worker/languages/torch_answer/torch_builder.hpp"

namespace ridgeline::languages {

/// The builder that torch and triton share at one isolation level. It is made for the first answer, when it
/// is known which card is meant.
struct SharedPython {
  torch_slim::Misses misses;
  std::mutex making;  ///< held while `builder` is made, and while the end of the worker looks for it
  std::once_flag made, reported;  // the builder; how many misses there were
  std::optional<torch_answer::TorchBuilder> builder;
};

namespace {

/// None where there are no headers of torch's to read, or the library is not beside the worker's others.
std::shared_ptr<front_ends::FrontEnds> front_ends_for(const BuilderMeans& means,
                                                      const BuildSettings& settings,
                                                      const torch_extension::ExtensionBuilder& modules) {
  const auto& python = means.tools.python.value();
  const auto torch = torch_extension::find_torch_headers(python.package, python.include);
  const auto* headers = std::get_if<torch_extension::TorchHeaders>(&torch);
  auto library = means.python_runner.parent_path() / "libridgeline-held.so";
  if (!headers || !std::filesystem::exists(library)) return nullptr;
  return std::make_shared<front_ends::FrontEnds>(
      front_ends::Tools{modules.toolchain(), modules.architecture(), settings, *headers, std::move(library)},
      means.log);
}

void make(SharedPython& shared, const BuilderMeans& means) {
  const auto& python = means.tools.python.value();
  const auto architecture = means.architecture();
  auto extended = means.settings;
  extended.limits = torch_extension::default_extension_limits();
  auto modules = means.tools.nvcc
                     ? torch_extension::ExtensionBuilder(*means.tools.nvcc, extended, architecture)
                     : torch_extension::ExtensionBuilder(*means.tools.host, extended);
  auto ends = front_ends_for(means, extended, modules);
  shared.builder.emplace(
      python, means.settings,
      torch_answer::ModuleTools{
          std::move(modules), means.python_runner,
          torch_extension::find_torch_headers(python.package, python.include), architecture,
          [misses = &shared.misses, log = means.log](torch_slim::Build build, const std::string& error) {
            if (const auto line = misses->count(build, error)) log(*line);
          },
          std::move(ends)});
}

class PythonBuilder final : public LanguageBuilder {
 public:
  explicit PythonBuilder(const BuilderMeans& means) : means_(means) {}

  BuildResult build(const protocol::Evaluate& request) const override {
    const auto& torch = builder();
    if (const auto mode = request.settings.torch_compile) return torch.reference(request.task, *mode);
    return torch.build(request.task, request.candidate, request.settings.torch_headers);
  }
  void expect_modules() const override { builder().warm_up(); }
  void wind_down() const override {
    auto& shared = *means_.python;
    {
      const std::lock_guard lock(shared.making);
      if (shared.builder) shared.builder->wind_down();
    }
    std::call_once(shared.reported, [&] {
      if (const auto summary = shared.misses.summary(); !summary.empty()) means_.log(summary);
    });
  }

 private:
  const torch_answer::TorchBuilder& builder() const {
    std::call_once(means_.python->made, [this] {
      const std::lock_guard lock(means_.python->making);
      make(*means_.python, means_);
    });
    return *means_.python->builder;
  }

  const BuilderMeans& means_;
};

class TorchSupport final : public LanguageSupport {
 public:
  Language language() const override { return Language::torch; }
  std::string missing(const MachineTools& tools) const override { return python_missing(tools); }
  std::string shortfall(const MachineTools& tools) const override {
    return tools.python || tools.no_python.empty() ? "" : "candidates in torch: " + tools.no_python;
  }
  std::optional<protocol::Toolchain> toolchain(const MachineTools& tools, const std::string&) const override {
    if (!tools.python) return std::nullopt;
    return protocol::Toolchain{"python", python_version(tools), tools.python->program, "torch", {}};
  }
  std::string compiler(const MachineTools& tools) const override { return python_version(tools); }
  std::unique_ptr<LanguageBuilder> make_builder(BuilderMeans& means) const override {
    return make_python_builder(means);
  }
};

}  // namespace

std::unique_ptr<LanguageBuilder> make_python_builder(BuilderMeans& means) {
  if (!means.python) means.python = std::make_shared<SharedPython>();
  return std::make_unique<PythonBuilder>(means);
}

std::string python_version(const MachineTools& tools) {
  return "Python " + tools.python->version + ", torch " + tools.python->torch_version;
}

std::string python_missing(const MachineTools& tools) {
  if (!tools.python) return tools.no_python.empty() ? torch_answer::no_python : tools.no_python;
  return tools.host ? "" : no_compiler;
}

const LanguageSupport& torch_support() {
  static const TorchSupport support;
  return support;
}

}  // namespace ridgeline::languages
