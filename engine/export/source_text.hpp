// Sources as text: without comments, and normalised for comparing near-duplicates.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"

namespace ridgeline::exporting {

/// Comments become one space (`//`, `/* */`; `#` of Python); those inside string literals stay.
std::string without_comments(std::string_view source, Language language);

/// Equal for sources that differ in comments and white space alone.
std::string normalised(std::string_view source, Language language);

inline bool is_python(Language language) {
  return language == Language::triton || language == Language::torch;
}

}  // namespace ridgeline::exporting
