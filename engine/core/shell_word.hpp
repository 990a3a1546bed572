// Quotes words for commands that a user copies from a terminal or a page, and for scripts.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline {

/// Returns the word between single quotes, so that a POSIX shell reads it back unchanged, whatever is in it.
std::string shell_quoted(std::string_view word);

/// Returns the word as it is if a POSIX shell reads it back unchanged, else quoted: for people to read.
std::string shell_word(std::string_view word);

}  // namespace ridgeline
