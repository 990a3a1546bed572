// Takes an input of a fuzzer apart, so that a few bytes make a whole structure. Where nothing is left, it
// gives zeros: every input means something.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace ridgeline::fuzz {

class Bytes {
 public:
  explicit Bytes(std::string_view input) : rest_(input) {}

  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  /// Takes the bytes of a plain value.
  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const auto part = text(sizeof value);
    std::memcpy(static_cast<void*>(&value), part.data(), part.size());
    return value;
  }
  /// Takes up to `most` bytes.
  std::string_view text(std::size_t most) {
    const auto part = rest_.substr(0, most);
    rest_.remove_prefix(part.size());
    return part;
  }
  /// Takes a number below `end`, which is at most 65536; 0 for an `end` of 0.
  std::size_t below(std::size_t end) {
    if (end <= 1) return 0;
    return (end <= 256 ? take<std::uint8_t>() : take<std::uint16_t>()) % end;
  }
  /// Takes a whole number: mostly a small one, sometimes an extreme or any.
  template <class T>
  T number() {
    constexpr T extremes[] = {std::numeric_limits<T>::max(), std::numeric_limits<T>::min(),
                              T(std::numeric_limits<T>::max() - 1), T(std::numeric_limits<T>::max() / 2)};
    const auto kind = take<std::uint8_t>();
    if (kind < 192) return static_cast<T>(kind);
    if (kind < 208) return extremes[kind % std::size(extremes)];
    return take<T>();
  }
  /// Takes a double: mostly a plain one, sometimes an extreme or any bits.
  double real() {
    using Limits = std::numeric_limits<double>;
    constexpr double some[] = {0.0,
                               -0.0,
                               1.0,
                               1e-6,
                               1e-300,
                               1e300,
                               Limits::max(),
                               Limits::min(),
                               Limits::denorm_min(),
                               Limits::infinity(),
                               -1.0,
                               -Limits::infinity(),
                               Limits::quiet_NaN(),
                               1e18,
                               123456.0,
                               1e-5};
    const auto kind = take<std::uint8_t>();
    if (kind < 128) return some[kind % std::size(some)];
    return kind < 192 ? static_cast<double>(take<std::uint32_t>()) : take<double>();
  }

 private:
  std::string_view rest_;
};

}  // namespace ridgeline::fuzz
