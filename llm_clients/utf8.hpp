// Bytes from outside made safe to keep as text.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::llm {

/// `bytes` with U+FFFD in place of every byte that belongs to no valid UTF-8 sequence (overlong forms,
/// surrogates and values over U+10FFFF are not valid).
std::string valid_utf8(std::string_view bytes);

/// Valid UTF-8 with line ends and tabs as spaces and other control characters as "?": text from outside that
/// goes to a terminal and into messages must move no cursor there, and a NUL would cut the message off.
std::string printable(std::string text);

/// The first `limit` bytes or less, cut between characters, with "…" where something was left out, and
/// `printable`: for putting foreign text into a message.
std::string excerpt(std::string_view bytes, std::size_t limit = 300);

}  // namespace ridgeline::llm
