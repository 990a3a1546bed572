// Lists every language that a worker can build, each in a line.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/languages/language_support.hpp"

namespace ridgeline::languages {

/// Returns the languages in the order in which the hello lists them.
const std::vector<const LanguageSupport*>& registry();

const LanguageSupport& support_of(Language language);

/// Lists the languages of which nothing is missing.
std::vector<std::string> supported_languages(const MachineTools& tools);

}  // namespace ridgeline::languages
