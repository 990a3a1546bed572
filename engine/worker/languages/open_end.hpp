// Finds what a C++ source leaves open at its end. Compilers report it at the text that follows, which is
// ours.
#pragma once

#include <optional>
#include <string_view>

namespace ridgeline::languages {

struct OpenEnd {
  enum class What { brace, parenthesis, bracket, comment, raw_string, conditional };
  What what = What::brace;
  int line = 0, column = 0;  ///< where it was opened, from 1
};

/// The innermost that is open. Strings, comments, raw strings and directives are told from code; of `#if` and
/// `#else` the branch that comes last counts, since both may open a brace that one closes.
std::optional<OpenEnd> open_at_end(std::string_view source);

/// "an open brace: the '{' of line 3 is never closed".
std::string_view in_words(OpenEnd::What what);

}  // namespace ridgeline::languages
