#include "engine/campaign/language_reader.hpp"

#include <fmt/format.h>

#include "engine/suites/registry.hpp"

namespace ridgeline::campaign {

std::string hint_at_suite(const std::function<bool(const suites::Profile&)>& permits) {
  const auto* other = suites::first_profile(permits);
  return other ? fmt::format(": name {} as suite.{}", other->location, other->name) : "";
}

Language read_language(yaml::MapReader& campaign, const suites::Profile& suite) {
  const auto node = campaign.find("language");
  if (!node) return suite.language;
  const auto language = node->as<Language>();
  if (suite.permits(language)) return language;
  const auto permits = [&](const suites::Profile& other) { return other.permits(language); };
  const auto* other = suites::first_profile(permits);
  node->fail(fmt::format("{} is a language of answers to {}'s tasks{}", to_string(language),
                         other ? other->title : "no suite", hint_at_suite(permits)));
}

}  // namespace ridgeline::campaign
