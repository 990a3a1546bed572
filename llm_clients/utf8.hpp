// Makes bytes from outside safe to store and to print.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::llm {

/// Replaces every byte that belongs to no valid UTF-8 sequence by U+FFFD. Overlong forms, surrogates and
/// values over U+10FFFF are not valid.
std::string valid_utf8(std::string_view bytes);

/// Replaces line ends and tabs by spaces, and other control characters by "?", in valid UTF-8. Text from
/// outside goes to terminals and into messages; it must not move a cursor, and a NUL would cut the message
/// off.
std::string printable(std::string text);

/// Returns at most the first `limit` bytes, cut between characters, made `printable`, with "…" if something
/// was cut: for quoting foreign text in a message.
std::string excerpt(std::string_view bytes, std::size_t limit = 300);

}  // namespace ridgeline::llm
