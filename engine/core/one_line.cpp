#include "engine/core/one_line.hpp"

namespace ridgeline {

std::string in_one_line(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    // U+009B begins a terminal's command as ESC [ does, though no byte of it is below 0x20.
    const bool of_two = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    if (byte >= 0x20 && byte != 0x7F && !of_two) {
      line += text[i];
      continue;
    }
    if (of_two) ++i;
    if (!line.empty() && line.back() != ' ') line += ' ';
  }
  return line;
}

}  // namespace ridgeline
