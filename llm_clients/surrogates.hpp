// Joins surrogate pairs that are split over two events. JSON may write a character beyond U+FFFF as two
// escapes
// ("\ud83d\ude00"), and a server that cuts its text between tokens may send them in two events. Each lone
// surrogate is encoded as a private-use character until the text is complete.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::llm {

/// Returns `json` with each escape of a lone surrogate replaced by its private-use character.
std::string encode_lone_surrogates(std::string_view json);

/// Returns `text` with adjacent halves joined to one character, and U+FFFD for each half that is still alone.
std::string join_surrogates(std::string text);

}  // namespace ridgeline::llm
