// Small work on text from outside: answers, logs, sources. Nothing here throws on bad UTF-8 or on size.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::prompts {

/// What a search that found nothing gives.
inline constexpr auto npos = std::string_view::npos;

/// Valid UTF-8 with `\n` line ends: bytes that are not UTF-8 become U+FFFD, a byte order mark, terminal
/// colours and control characters other than tab and newline go.
std::string clean(std::string_view text);

/// Lines without their ends; the empty text has none, and a final newline adds none.
std::vector<std::string_view> lines_of(std::string_view text);

std::string_view trim(std::string_view text);
std::string_view trim_right(std::string_view text);
bool is_blank(std::string_view text);

/// At most `bytes` of it, cut between characters, with "…" where something is missing.
std::string cut(std::string_view text, std::size_t bytes);

/// In lower case, ASCII only.
std::string lower(std::string_view text);

/// Without blank lines at either end, and one newline at the end; "" if there is nothing.
std::string tidy(std::string_view text);

/// In a fence that nothing in it can close: "```cpp\n…\n```".
std::string fenced(std::string_view text, std::string_view info);

}  // namespace ridgeline::prompts
