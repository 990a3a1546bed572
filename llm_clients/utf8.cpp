#include "llm_clients/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/core/utf8.hpp"

namespace ridgeline::llm {

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto length = utf8_length(bytes);
    if (length == 0)
      text += "\xEF\xBF\xBD";
    else
      text += bytes.substr(0, length);
    // One replacement for each bad byte, so that a sequence that was cut off does not swallow what follows.
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<std::uint8_t>(text[i + 1]) : 0;
    if (byte == '\n' || byte == '\r' || byte == '\t')
      text[i] = ' ';
    else if (byte < 0x20 || byte == 0x7F)
      text[i] = '?';
    else if (byte == 0xC2 && next >= 0x80 && next < 0xA0)  // C1 controls, U+0080 to U+009F: two bytes each
      text.replace(i, 2, "?");
  }
  return text;
}

std::string excerpt(std::string_view bytes, std::size_t limit) {
  // Four bytes more, so that a character across the limit is not taken for a bad one.
  std::string text = valid_utf8(bytes.substr(0, limit + 4));
  const bool cut = bytes.size() > limit;
  if (text.size() > limit) {
    auto end = limit;
    while (end > 0 && (static_cast<std::uint8_t>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
  }
  text = printable(std::move(text));
  return cut ? text + "…" : text;
}

}  // namespace ridgeline::llm
