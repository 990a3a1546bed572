#include "prompts/text.hpp"

#include <algorithm>
#include <cstdint>

namespace ridgeline::prompts {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool is_continuation(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

/// Returns the bytes of the well-formed character at `at` (Unicode 15, table 3-7); 0 if there is none.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto first = byte_at(text, at), second = byte_at(text, at + 1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return is_continuation(second) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned char low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
    return second >= low && second <= high && is_continuation(byte_at(text, at + 2)) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned char low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
    const bool rest = is_continuation(byte_at(text, at + 2)) && is_continuation(byte_at(text, at + 3));
    return second >= low && second <= high && rest ? 4 : 0;
  }
  return 0;
}

/// Returns whether a C1 control character (U+0080 to U+009F) stands at `at`.
bool is_c1_control(std::string_view text, std::size_t at) {
  const auto second = byte_at(text, at + 1);
  return byte_at(text, at) == 0xC2 && second >= 0x80 && second <= 0x9F;
}

/// Returns the bytes of the terminal escape sequence (ECMA-48 CSI, in seven or eight bits) at `at`; 0 if
/// there is none. A sequence without its final byte ends before what cannot belong to it, as a newline.
std::size_t escape_length(std::string_view text, std::size_t at) {
  const auto begin = text.substr(at, 2);
  if (begin != "\x1b[" && begin != "\xC2\x9B") return 0;
  const auto between = [&](std::size_t i, unsigned char low, unsigned char high) {
    return byte_at(text, i) >= low && byte_at(text, i) <= high;
  };
  std::size_t end = at + 2;
  while (between(end, 0x20, 0x3F)) ++end;
  return (between(end, 0x40, 0x7E) ? end + 1 : end) - at;
}

/// Returns the end of the run of printable ASCII, tabs and newlines that begins at `at`. Logs of megabytes
/// are nearly all such runs, which are copied at once.
std::size_t plain_until(std::string_view text, std::size_t at) {
  const auto plain = [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t'; };
  while (at < text.size() && plain(text[at])) ++at;
  return at;
}

}  // namespace

std::string clean(std::string_view text) {
  if (text.substr(0, 3) == byte_order_mark) text.remove_prefix(3);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (const auto end = plain_until(text, at); end > at) {
      out.append(text, at, end - at);
      at = end;
    } else if (c == '\r') {  // Windows' and old Mac's line ends
      out += '\n';
      at += byte_at(text, at + 1) == '\n' ? 2 : 1;
    } else if (const auto escape = escape_length(text, at)) {
      at += escape;
    } else if (const auto length = character_length(text, at)) {
      const auto byte = static_cast<unsigned char>(c);
      const bool control = (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7F || is_c1_control(text, at);
      if (!control) out.append(text, at, length);
      at += length;
    } else {
      out += replacement;
      ++at;
    }
  }
  return out;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string_view trim_right(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view{} : trim_right(text.substr(first));
}

bool is_blank(std::string_view text) {
  return trim(text).empty();
}

std::string cut(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  constexpr std::string_view mark = "…";
  if (bytes < mark.size()) return {};  // a piece without the mark would pass for the whole text
  // Back to the beginning of a character: half of one is not UTF-8, and a provider refuses the request.
  std::size_t end = bytes - mark.size();
  while (end > 0 && is_continuation(byte_at(text, end))) --end;
  return std::string(text.substr(0, end)) + std::string(mark);
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::string tidy(std::string_view text) {
  text = trim_right(text);
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (!is_blank(text.substr(0, end)) || end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return text.empty() ? "" : std::string(text) + "\n";
}

std::string fenced(std::string_view text, std::string_view info) {
  std::size_t run = 0, longest = 2;  // a fence has three at least
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const auto body = trim_right(text);
  std::string out;
  out.reserve(2 * fence.size() + info.size() + body.size() + 2);
  out.append(fence).append(info) += '\n';
  out.append(body) += '\n';
  return out += fence;
}

}  // namespace ridgeline::prompts
