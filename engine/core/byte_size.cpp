#include "engine/core/byte_size.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

namespace ridgeline {

std::optional<std::uint64_t> byte_size(std::string_view text) {
  constexpr auto kUnits = std::to_array<std::pair<std::string_view, std::uint64_t>>(
      {{"GiB", 1ULL << 30}, {"MiB", 1ULL << 20}, {"GB", 1'000'000'000}, {"MB", 1'000'000}, {"B", 1}});
  std::uint64_t number = 0;
  const auto [read, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(read, static_cast<std::size_t>(text.data() + text.size() - read));
  for (const auto& [name, bytes] : kUnits) {
    if (unit != name) continue;
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (number == 0 || number > kMost / bytes) return std::nullopt;
    return number * bytes;
  }
  return std::nullopt;
}

}  // namespace ridgeline
