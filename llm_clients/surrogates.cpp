#include "llm_clients/surrogates.hpp"

#include <charconv>
#include <cstdint>
#include <optional>

namespace ridgeline::llm {
namespace {

constexpr std::uint32_t kFirstHalf = 0xD800, kSecondHalf = 0xDC00, kPastHalves = 0xE000;
constexpr std::uint32_t kStandIn = 0x10F000;               // stands for U+D800; in the last private-use plane
constexpr std::string_view kStandInLead = "\xF4\x8F";      // the first two bytes of every stand-in
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t kEscape = 6;                         // "\ud83d"

bool is_half(std::uint32_t unit) {
  return unit >= kFirstHalf && unit < kPastHalves;
}

/// Appends a code point beyond U+FFFF, which takes four bytes.
void append_utf8(std::string& to, std::uint32_t code) {
  to += static_cast<char>(0xF0 | (code >> 18));
  to += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
  to += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
  to += static_cast<char>(0x80 | (code & 0x3F));
}

/// Returns the UTF-16 unit of an escape "\uXXXX" at `at`, or nothing if there is none.
std::optional<std::uint32_t> unit_at(std::string_view json, std::size_t at) {
  if (at + kEscape > json.size() || json[at] != '\\' || json[at + 1] != 'u') return std::nullopt;
  std::uint32_t unit = 0;
  const char* digits = json.data() + at + 2;
  const auto [end, error] = std::from_chars(digits, digits + 4, unit, 16);
  if (error != std::errc{} || end != digits + 4) return std::nullopt;
  return unit;
}

/// Returns the surrogate that a stand-in at `at` stands for, or nothing if there is none.
std::optional<std::uint32_t> half_at(std::string_view text, std::size_t at) {
  if (at + 4 > text.size() || !text.substr(at).starts_with(kStandInLead)) return std::nullopt;
  const auto low = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]) & 0x3Fu; };
  const std::uint32_t code = (4u << 18) | (0x0Fu << 12) | (low(2) << 6) | low(3);
  const std::uint32_t half = code - kStandIn + kFirstHalf;
  return is_half(half) ? std::optional(half) : std::nullopt;
}

}  // namespace

std::string encode_lone_surrogates(std::string_view json) {
  std::string kept;
  kept.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const auto unit = unit_at(json, at);
    const auto next = unit ? unit_at(json, at + kEscape) : std::nullopt;
    const bool pair =
        unit && next && *unit < kSecondHalf && is_half(*unit) && *next >= kSecondHalf && is_half(*next);
    // A backslash is taken with the character after it, so that "\\ud83d" (an escaped backslash) is no
    // surrogate.
    const std::size_t length = pair ? 2 * kEscape : unit ? kEscape : json[at] == '\\' ? 2 : 1;
    if (unit && is_half(*unit) && !pair)
      append_utf8(kept, *unit - kFirstHalf + kStandIn);
    else
      kept += json.substr(at, length);
    at += length;
  }
  return kept;
}

std::string join_surrogates(std::string text) {
  // Almost every text has none.
  if (text.find(kStandInLead) == std::string::npos) return text;
  std::string joined;
  joined.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto half = half_at(text, at);
    if (!half) {
      joined += text[at++];
      continue;
    }
    const auto next = half_at(text, at + 4);
    // A first half must come before a second one; any other order is no character.
    const bool pair = next && *half < kSecondHalf && *next >= kSecondHalf;
    if (pair)
      append_utf8(joined, 0x10000 + ((*half - kFirstHalf) << 10) + (*next - kSecondHalf));
    else
      joined += kReplacement;
    at += pair ? 8 : 4;
  }
  return joined;
}

}  // namespace ridgeline::llm
