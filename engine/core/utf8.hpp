// UTF-8, one character at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace ridgeline {

/// Bytes of the character that `bytes` begins with; 0 where no valid one begins there, as in overlong forms,
/// surrogates, values over U+10FFFF and a text that ends within a character.
std::size_t utf8_length(std::string_view bytes);

}  // namespace ridgeline
