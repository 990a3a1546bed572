#include "engine/worker/languages/cpp/cpp_support.hpp"

#include "engine/worker/languages/compiler.hpp"

namespace ridgeline::languages {
namespace {

class CppBuilder final : public LanguageBuilder {
 public:
  explicit CppBuilder(const BuilderMeans& means) : compiler_(*means.tools.host, means.settings) {}

  BuildResult build(const protocol::Evaluate& request) const override {
    const auto& asked = request.settings.build_flags;
    return compiler_.build(request.task, request.candidate, asked.empty() ? default_flags() : asked);
  }
  void warm_up() const override { compiler_.warm_up(); }

 private:
  Compiler compiler_;
};

class CppSupport final : public LanguageSupport {
 public:
  Language language() const override { return Language::cpp; }
  std::string missing(const MachineTools& tools) const override { return tools.host ? "" : no_compiler; }
  std::string shortfall(const MachineTools& tools) const override { return missing(tools); }
  std::optional<protocol::Toolchain> toolchain(const MachineTools& tools, const std::string&) const override {
    if (!tools.host) return std::nullopt;
    const auto* name = tools.host->family == Toolchain::Family::gcc ? "g++" : "clang++";
    return protocol::Toolchain{name, tools.host->version, tools.host->program, "cpp", default_flags()};
  }
  std::string compiler(const MachineTools& tools) const override { return tools.host->version; }
  std::unique_ptr<LanguageBuilder> make_builder(BuilderMeans& means) const override {
    return std::make_unique<CppBuilder>(means);
  }
};

}  // namespace

const LanguageSupport& cpp_support() {
  static const CppSupport support;
  return support;
}

}  // namespace ridgeline::languages
