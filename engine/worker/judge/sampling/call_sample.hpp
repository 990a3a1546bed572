// Which of the calls that are timed are kept, to be compared in the end. Where they are timed in turns of
// which only some count, as many of each turn: what a kernel does in few turns must not hide behind the many
// that are left out. A decision without I/O.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {

class CallSample {
 public:
  /// `room`: calls that may be kept at once; one is in any case.
  explicit CallSample(std::size_t room);

  /// What is offered from here on is of a new turn; turns count from 0. Of those before `counting` count
  /// as it stands; the others give way first where room is short. Without turns every call offered is kept
  /// with the same probability.
  void begin_turn(const std::vector<std::size_t>& counting);
  /// Where the call offered now is kept: in the place of one that was, behind the last, or not at all.
  std::optional<std::size_t> offer(Random& random);
  /// Goes on with the calls of `turns`, and of others so many that there are a few in all. Returns the places
  /// that they had: they stand in this order now.
  std::vector<std::size_t> keep_turns(const std::vector<std::size_t>& turns, Random& random);
  void clear();

 private:
  std::vector<std::size_t> places_of(std::size_t turn) const;
  std::vector<std::size_t> idle_places() const;
  std::optional<std::size_t> in_place_of_another(std::size_t held, Random& random);

  std::size_t room_;
  std::vector<std::size_t> turn_of_;  // of each place, from 1 on; 0: before the first turn
  std::vector<std::size_t> counting_;
  std::size_t turn_ = 0;     // the one at hand
  std::size_t offered_ = 0;  // in it
};

}  // namespace ridgeline::judge
