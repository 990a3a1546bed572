#include "prompts/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <string_view>

namespace ridgeline::prompts {
namespace {

/// Rounds to three significant digits: more suggest a precision that a time does not have.
std::string three_digits(double value) {
  const auto size = std::abs(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

template <std::size_t N>
std::string scaled(double value, double smallest, const std::array<std::string_view, N>& units) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  double unit = smallest;
  std::size_t at = 0;
  // 999.5 rounds to 1000, which has four digits.
  while (at + 1 < N && std::abs(value / unit) >= 999.5) {
    unit *= 1000;
    ++at;
  }
  if (unit == 1 && at == 0) return fmt::format("{:.0f}{}", value, units[at]);  // things that are counted
  return three_digits(value / unit) + std::string(units[at]);
}

}  // namespace

std::string time_text(double seconds) {
  return scaled(seconds, 1e-9, std::to_array<std::string_view>({" ns", " µs", " ms", " s"}));
}

std::string bytes_text(double bytes) {
  return scaled(bytes, 1, std::to_array<std::string_view>({" bytes", " kB", " MB", " GB", " TB"}));
}

std::string count_text(double count) {
  return scaled(count, 1, std::to_array<std::string_view>({"", " k", " M", " G", " T"}));
}

std::string percent_text(double share) {
  return fmt::format("{:.{}f} %", share * 100, share < 0.0995 ? 1 : 0);
}

std::string speedup_text(double factor) {
  return three_digits(factor) + "x";
}

std::string number_text(double value) {
  return fmt::format("{:.7g}", value);
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string sizes_text(const Symbols& sizes) {
  std::string text;
  for (const auto& [symbol, size] : sizes)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", symbol, size);
  return text;
}

}  // namespace ridgeline::prompts
