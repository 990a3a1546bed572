// Cleans, cuts and quotes text from outside: answers, logs, sources. No function throws on bad UTF-8 or on
// size.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::prompts {

/// The result of a search without a match.
inline constexpr auto npos = std::string_view::npos;

/// Returns valid UTF-8 with `\n` line ends. Bytes that are not UTF-8 become U+FFFD. A byte order mark at the
/// beginning, terminal colours and control characters (C0, DEL and C1) other than tab and newline are
/// removed.
std::string clean(std::string_view text);

/// Returns lines without their ends; the empty text has none, and a final newline adds none.
std::vector<std::string_view> lines_of(std::string_view text);

/// Removes spaces, tabs and line ends at both ends.
std::string_view trim(std::string_view text);
std::string_view trim_right(std::string_view text);
bool is_blank(std::string_view text);

/// Returns the text if it has at most `bytes` bytes. Else returns its beginning, cut between characters, and
/// "…": together at most `bytes` bytes. "" if not even the 3 bytes of "…" fit.
std::string cut(std::string_view text, std::size_t bytes);

/// Returns the text in lower case; letters other than ASCII stay.
std::string lower(std::string_view text);

/// Removes blank lines at the beginning and all white space at the end, and ends the text with one newline;
/// "" if nothing is left.
std::string tidy(std::string_view text);

/// Puts the text, without white space at its end, into a fence that is longer than any run of backticks in
/// it:
/// "```cpp\n…\n```".
std::string fenced(std::string_view text, std::string_view info);

}  // namespace ridgeline::prompts
