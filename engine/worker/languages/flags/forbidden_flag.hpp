// Decides which flags a request may choose for its language's compiler.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/language.hpp"

namespace ridgeline::languages {

/// Returns the first flag that a request may not choose for that language's compiler; nullopt if it may
/// choose all of them. A language without a rule (torch, triton) lets a request choose none.
std::optional<std::string> first_forbidden(Language language, const std::vector<std::string>& flags);

}  // namespace ridgeline::languages
