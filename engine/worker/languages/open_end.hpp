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

/// Returns the innermost bracket, comment, raw string or conditional that is open. Of `#if` and `#else` the
/// last branch counts, since both may open a brace that is closed once.
std::optional<OpenEnd> open_at_end(std::string_view source);

/// Returns its words for messages: "an open brace: the '{'".
std::string_view in_words(OpenEnd::What what);

}  // namespace ridgeline::languages
