#include "engine/core/utf8.hpp"

#include <cstdint>

namespace ridgeline {

std::size_t utf8_length(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const auto lead = static_cast<std::uint8_t>(bytes[0]);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return 0;
  const auto second = static_cast<std::uint8_t>(bytes[1]);
  if (lead == 0xE0 && second < 0xA0) return 0;  // overlong
  if (lead == 0xED && second > 0x9F) return 0;  // surrogate
  if (lead == 0xF0 && second < 0x90) return 0;  // overlong
  if (lead == 0xF4 && second > 0x8F) return 0;  // over U+10FFFF
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<std::uint8_t>(bytes[i]) & 0xC0) != 0x80) return 0;
  return length;
}

}  // namespace ridgeline
