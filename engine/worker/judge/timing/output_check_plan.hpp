// Decides how many timed calls get an output check next (output_check.hpp), and of which elements. A decision
// without I/O.
#pragma once

#include <algorithm>
#include <cstddef>

namespace ridgeline::judge {

/// Plans checks in batches, from how long the checks so far took.
class OutputCheckPlan {
 public:
  static constexpr std::size_t most = 96;       ///< calls in all, those compared in full included
  static constexpr std::size_t whole = 6;       ///< the first calls, whose every element is checked
  static constexpr std::size_t least = 12;      ///< calls to check, even if that exceeds `seconds`
  static constexpr double long_seconds = 0.25;  ///< but no more than this long,
  static constexpr std::size_t few = 4;         ///< after which this many are enough
  static constexpr double seconds = 0.02;       ///< within which more than `least` are checked

  /// The first `done` of `calls` were compared in full and need no check.
  OutputCheckPlan(std::size_t done, std::size_t calls)
      : first_(done), done_(done), until_(std::min(calls, most)) {}

  /// Calls that need no check any more.
  std::size_t done() const { return done_; }
  /// Whether the next calls are checked at every element, not at random ones.
  bool whole_outputs() const { return done_ < whole; }
  /// Returns how many calls to check next, at most `together`; 0: enough. `elapsed`: seconds since the first
  /// check began.
  std::size_t next(std::size_t together, double elapsed) const {
    if (done_ >= until_) return 0;
    const std::size_t alike = (whole_outputs() ? std::min(whole, until_) : until_) - done_;
    return std::min({together, alike, affordable(elapsed)});
  }
  /// Records that `count` more calls were checked.
  void checked(std::size_t count) { done_ += count; }

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
