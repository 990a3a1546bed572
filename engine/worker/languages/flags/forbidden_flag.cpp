#include "engine/worker/languages/flags/forbidden_flag.hpp"

#include <algorithm>
#include <array>

#include "engine/worker/languages/flags/cpp_flags.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"

namespace ridgeline::languages {
namespace {

struct Rule {
  Language language;
  std::optional<std::string> (*first_forbidden)(const std::vector<std::string>&);
};
constexpr std::array<Rule, 2> kRules{
    {{Language::cpp, first_forbidden}, {Language::cuda, first_forbidden_cuda}}};

}  // namespace

std::optional<std::string> first_forbidden(Language language, const std::vector<std::string>& flags) {
  if (flags.empty()) return std::nullopt;
  const auto* rule = std::ranges::find(kRules, language, &Rule::language);
  return rule == kRules.end() ? flags.front() : rule->first_forbidden(flags);
}

}  // namespace ridgeline::languages
