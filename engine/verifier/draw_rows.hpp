// The reference's draws of one random output, as tests of randomness read them. Plain numbers, no tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ridgeline::verifier {

/// Elements that are read of all rows at once: so many of each stay in the second-level cache.
inline constexpr std::size_t elements_together = 1024;

/// Several draws of one output: a row each, of equally many elements. A view: the numbers must outlive it.
/// Draws of a bool are bytes of 0 or 1, an eighth of what they would take as numbers.
class DrawRows {
 public:
  DrawRows() = default;
  /// `numbers` holds `count` rows, one after the other.
  DrawRows(std::span<const double> numbers, int count)
      : numbers_(numbers.data()),
        count_(static_cast<std::size_t>(count)),
        elements_(numbers.size() / count_) {}
  DrawRows(std::span<const std::uint8_t> flags, int count)
      : flags_(flags.data()), count_(static_cast<std::size_t>(count)), elements_(flags.size() / count_) {}

  std::size_t count() const { return count_; }
  std::size_t elements() const { return elements_; }  ///< of a row

  double at(std::size_t row, std::size_t element) const {
    const auto index = row * elements_ + element;
    return flags_ != nullptr ? flags_[index] : numbers_[index];
  }

  /// Whether the draws are flags, which `part` widens.
  bool are_flags() const { return flags_ != nullptr; }

  /// Returns `length` elements of a row from `first` on. Flags are widened into `room`, which must then hold
  /// as many.
  std::span<const double> part(std::size_t row, std::size_t first, std::size_t length,
                               std::span<double> room) const {
    const auto index = row * elements_ + first;
    if (flags_ == nullptr) return {numbers_ + index, length};
    for (std::size_t i = 0; i < length; ++i) room[i] = flags_[index + i];
    return room.first(length);
  }

  /// Whether an element of any row is negative. Reads numbers on several threads; no flag is negative.
  bool any_negative() const;

 private:
  const double* numbers_ = nullptr;
  const std::uint8_t* flags_ = nullptr;
  std::size_t count_ = 0, elements_ = 0;
};

}  // namespace ridgeline::verifier
