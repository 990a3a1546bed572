// How many of the timed calls are looked at next, and how closely (screening.hpp). A decision without I/O.
#pragma once

#include <algorithm>
#include <cstddef>

namespace ridgeline::judge {

class PlainLooks {
 public:
  static constexpr std::size_t most = 96;  ///< with those that need no look
  static constexpr std::size_t whole = 6;  ///< the first ones, of which every element is looked at
  static constexpr std::size_t least = 12;
  static constexpr double long_seconds = 0.25;  ///< unless they take longer than that all together,
  static constexpr std::size_t few = 4;         ///< and then so many
  static constexpr double seconds = 0.02;       ///< that more than `least` may take

  /// The first `done` of `calls` need no look.
  PlainLooks(std::size_t done, std::size_t calls)
      : first_(done), done_(done), until_(std::min(calls, most)) {}

  std::size_t done() const { return done_; }
  bool wholly() const { return done_ < whole; }
  /// At most `together`, `elapsed` seconds after the first was begun; 0: enough.
  std::size_t next(std::size_t together, double elapsed) const {
    if (done_ >= until_) return 0;
    const std::size_t alike = (wholly() ? std::min(whole, until_) : until_) - done_;
    return std::min({together, alike, affordable(elapsed)});
  }
  void did(std::size_t count) { done_ += count; }

 private:
  std::size_t affordable(double elapsed) const {
    if (done_ < few) return few - done_;
    const double each = done_ > first_ ? elapsed / static_cast<double>(done_ - first_) : 0;
    const auto within = [&](double limit) {
      return static_cast<std::size_t>(std::clamp((limit - elapsed) / std::max(each, 1e-6), 0.0, 1e6));
    };
    return done_ < least ? std::min(within(long_seconds), least - done_) : within(seconds);
  }

  std::size_t first_, done_, until_;
};

}  // namespace ridgeline::judge
