// Bytes from outside made safe to keep as text.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::llm {

/// `bytes` with U+FFFD in place of every byte that belongs to no valid UTF-8 sequence (overlong forms,
/// surrogates and values over U+10FFFF are not valid).
std::string valid_utf8(std::string_view bytes);

/// The first `limit` bytes or less, cut between characters, with "…" where something was left out and line
/// ends turned into spaces: for putting foreign text into a message.
std::string excerpt(std::string_view bytes, std::size_t limit = 300);

}  // namespace ridgeline::llm
