// Which flags a request may choose for its language's compiler.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/language.hpp"

namespace ridgeline::languages {

/// The first flag that is not allowed for the compiler of that language; none where the language has no
/// flags.
std::optional<std::string> first_forbidden(Language language, const std::vector<std::string>& flags);

}  // namespace ridgeline::languages
