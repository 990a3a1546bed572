#include "engine/worker/languages/registry/registry.hpp"

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/worker/languages/cpp/cpp_support.hpp"
#include "engine/worker/languages/cuda/cuda_support.hpp"
#include "engine/worker/languages/torch/torch_support.hpp"
#include "engine/worker/languages/triton/triton_support.hpp"

namespace ridgeline::languages {

const std::vector<const LanguageSupport*>& registry() {
  static const std::vector<const LanguageSupport*> all{&cpp_support(), &cuda_support(), &torch_support(),
                                                       &triton_support()};
  return all;
}

const LanguageSupport& support_of(Language language) {
  const auto support = std::ranges::find(registry(), language, &LanguageSupport::language);
  if (support == registry().end())
    throw Error("the language " + std::string(to_string(language)) +
                " has no line in the registry of languages");
  return **support;
}

std::vector<std::string> supported_languages(const MachineTools& tools) {
  std::vector<std::string> supported;
  for (const auto* support : registry())
    if (support->missing(tools).empty()) supported.emplace_back(to_string(support->language()));
  return supported;
}

}  // namespace ridgeline::languages
