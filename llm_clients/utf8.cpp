#include "llm_clients/utf8.hpp"

#include <algorithm>
#include <cstdint>

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
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

std::string excerpt(std::string_view bytes, std::size_t limit) {
  std::string text = valid_utf8(bytes.substr(0, limit + 4));
  const bool cut = bytes.size() > limit;
  if (text.size() > limit) {
    auto end = limit;
    while (end > 0 && (static_cast<std::uint8_t>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
  }
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return cut ? text + "…" : text;
}

}  // namespace ridgeline::llm
