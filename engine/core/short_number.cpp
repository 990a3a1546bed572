#include "engine/core/short_number.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ridgeline {

std::string short_number(double value) {
  // 999.5 rounds to 1000, which three digits would write as "1e+03". Beyond 1e15 digits say nothing.
  const double size = std::abs(value);
  return size >= 999.5 && size < 1e15 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

}  // namespace ridgeline
