// Which of the things that come one by one are kept, where not all can be: each is as likely (Vitter's
// algorithm R). A decision without I/O.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {

class Reservoir {
 public:
  /// `room`: so many are kept at once; one in any case.
  explicit Reservoir(std::size_t room) : room_(std::max<std::size_t>(1, room)) {}

  /// Where what is offered now is kept: in the place of one that was, behind the last, or not at all.
  std::optional<std::size_t> offer(Random& random) {
    const std::size_t place = offered_ < room_ ? offered_ : random.below(offered_ + 1);
    ++offered_;
    return place < room_ ? std::optional(place) : std::nullopt;
  }
  void clear() { offered_ = 0; }

 private:
  std::size_t room_;
  std::size_t offered_ = 0;
};

}  // namespace ridgeline::judge
