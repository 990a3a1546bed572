// Handles sources as text: removes comments, and normalises sources to compare near-duplicates.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"

namespace ridgeline::code_quality {

/// Replaces comments by one space (`//`, `/* */`; `#` in Python); those inside string literals stay.
std::string without_comments(std::string_view source, Language language);

/// Returns text that is equal for sources that differ only in comments and white space.
std::string normalised(std::string_view source, Language language);

/// Whether sources of a language are Python, with its comments and its indentation.
inline bool is_python(Language language) {
  return traits(language).syntax == Syntax::python;
}

}  // namespace ridgeline::code_quality
