#include "engine/history/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/short_number.hpp"

namespace ridgeline::history {

namespace {

/// Writes `value` with the first of `units`, each a thousand times the one before, in which three digits do.
template <std::size_t N>
std::string in_units(double value, const std::array<const char*, N>& units) {
  std::size_t step = 0;
  // 999.5 rounds to 1000, which has four digits.
  while (std::abs(value) >= 999.5 && step + 1 < N) {
    value /= 1000;
    ++step;
  }
  return fmt::format("{} {}", short_number(value), units[step]);
}

}  // namespace

std::string as_time(double seconds) {
  return in_units(seconds * 1e9, std::array{"ns", "us", "ms", "s"});
}

std::string as_count(double value) {
  return in_units(value, std::array{"", "k", "M", "G", "T"});
}

std::string as_table(const std::vector<std::vector<std::string>>& rows, const Terminal& terminal) {
  return text_table(rows, Alignment::left, terminal);
}

std::string indented(const std::string& text, const std::string& indent) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    out += indent + text.substr(at, end - at) + '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace ridgeline::history
