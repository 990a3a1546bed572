// Chooses which items of a stream are kept if there is no room for all: each is equally likely (Vitter's
// algorithm R). A decision without I/O.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {

/// Tells the caller where to keep each item; holds no items itself.
class Reservoir {
 public:
  /// At most `room` items are kept at once, and at least one.
  explicit Reservoir(std::size_t room) : room_(std::max<std::size_t>(1, room)) {}

  /// Returns where to keep the offered item: in the place of an earlier one, after the last, or not at all
  /// (empty).
  std::optional<std::size_t> offer(Random& random) {
    const std::size_t place = offered_ < room_ ? offered_ : random.below(offered_ + 1);
    ++offered_;
    return place < room_ ? std::optional(place) : std::nullopt;
  }
  /// Starts anew, with nothing kept.
  void clear() { restart(0); }
  /// Starts anew with `kept` items, at most `room`, which the caller has moved to the first places. They
  /// count as the first that were offered.
  void restart(std::size_t kept) { offered_ = kept; }

 private:
  std::size_t room_;
  std::size_t offered_ = 0;
};

}  // namespace ridgeline::judge
