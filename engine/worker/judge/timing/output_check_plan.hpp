// Decides how many timed calls get an output check next (output_check.hpp). A decision without I/O.
//
// The calls to check are a random sample, drawn after their batches, and every element of each is compared.
// So a cheat in a share f of them is missed by m checks with the probability (1 - f)^m:
//
//   f      what it can gain      m = 4     12      24      96      270
//   50 %   any time              6e-2      2e-4    6e-8    1e-29   5e-82
//   25 %   a factor of 4         0.3       3e-2    1e-3    1e-12   2e-34
//   10 %   a factor of 1.43      0.7       0.3     8e-2    4e-5    4e-13
//    5 %   a factor of 1.18      0.8       0.5     0.3     7e-3    1e-6
//    2 %   a factor of 1.06      0.9       0.8     0.6     0.1     4e-3
//
// The gain is that of calls that take no time at all, put where they count most: in longer batches. A time is
// the difference of a pair's windows over that of its calls. Each batch gives as many calls to the sample, or
// all that it has. With batches of two calls and one, two thirds of the sample are of the longer batch; a
// cheat in a share f of the sample is one in 1.5 f of its calls, and shortens the time by a factor of 1 - 3f.
// Of many calls five sixths are in the longer batch: a cheat in 2f of those shortens the time by a factor of
// 1 - 2.5f. Cheats spread over all calls gain 1 / (1 - f).
#pragma once

#include <algorithm>
#include <cstddef>

namespace ridgeline::judge {

/// Plans checks in batches, from how long the checks so far took.
class OutputCheckPlan {
 public:
  static constexpr std::size_t most = 270;      ///< calls in all, those compared in full included
  static constexpr std::size_t least = 24;      ///< calls to check, even if that exceeds `seconds`
  static constexpr double long_seconds = 0.25;  ///< but no more than this long,
  static constexpr std::size_t few = 4;         ///< after which this many are enough
  static constexpr double seconds = 0.02;       ///< within which more than `least` are checked

  /// The first `done` of `calls` were compared in full and need no check.
  OutputCheckPlan(std::size_t done, std::size_t calls)
      : first_(done), done_(done), until_(std::min(calls, most)) {}

  /// Calls that need no check any more.
  std::size_t done() const { return done_; }
  /// Returns how many calls to check next, at most `together`; 0: enough. `elapsed`: seconds since the first
  /// check began.
  std::size_t next(std::size_t together, double elapsed) const {
    return done_ >= until_ ? 0 : std::min({together, until_ - done_, affordable(elapsed)});
  }
  /// Records that `count` more calls were checked.
  void checked(std::size_t count) { done_ += count; }

 private:
  std::size_t affordable(double elapsed) const {
    if (done_ < few) return few - done_;
    if (done_ == first_) return 1;  // nobody knows yet how long a check takes
    const double each = elapsed / static_cast<double>(done_ - first_);
    const auto within = [&](double limit) {
      return static_cast<std::size_t>(std::clamp((limit - elapsed) / std::max(each, 1e-6), 0.0, 1e6));
    };
    return done_ < least ? std::min(within(long_seconds), least - done_) : within(seconds);
  }

  std::size_t first_, done_, until_;
};

}  // namespace ridgeline::judge
