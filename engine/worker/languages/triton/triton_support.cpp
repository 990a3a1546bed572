#include "engine/worker/languages/triton/triton_support.hpp"

#include "engine/worker/languages/torch/torch_support.hpp"

namespace ridgeline::languages {
namespace {

class TritonSupport final : public LanguageSupport {
 public:
  Language language() const override { return Language::triton; }
  std::string missing(const MachineTools& tools) const override {
    if (auto without = python_missing(tools); !without.empty()) return without;
    return tools.python->triton_version.empty() ? no_triton(*tools.python) : "";
  }
  std::string shortfall(const MachineTools& tools) const override {
    const bool lacking = tools.python && tools.python->triton_version.empty();
    return lacking ? "candidates in triton: " + no_triton(*tools.python) : "";
  }
  std::optional<protocol::Toolchain> toolchain(const MachineTools& tools, const std::string&) const override {
    if (!tools.python || tools.python->triton_version.empty()) return std::nullopt;
    return protocol::Toolchain{"triton", tools.python->triton_version, tools.python->program, "triton", {}};
  }
  std::string compiler(const MachineTools& tools) const override {
    return python_version(tools) + ", triton " + tools.python->triton_version;
  }
  std::unique_ptr<LanguageBuilder> make_builder(BuilderMeans& means) const override {
    return make_python_builder(means);
  }
};

}  // namespace

const LanguageSupport& triton_support() {
  static const TritonSupport support;
  return support;
}

}  // namespace ridgeline::languages
