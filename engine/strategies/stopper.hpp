// Counts rounds and says when a strategy should end.
#pragma once

#include <algorithm>
#include <span>

#include "engine/strategies/attempt_outcome.hpp"

namespace ridgeline::strategies {

/// Is done after `rounds` rounds, or after two rounds in a row in which no model answered or no machine
/// judged: going on would spend the budget on a fault of the surroundings.
class Stopper {
 public:
  explicit Stopper(int rounds) : rounds_(rounds) {}

  int round() const { return round_; }  ///< number of the running round, from 0
  bool done() const { return round_ >= rounds_ || barren_in_a_row_ >= most_barren; }

  void round_ended(std::span<const Attempt> attempts) {
    ++round_;
    const bool barren = std::all_of(attempts.begin(), attempts.end(), [](const Attempt& attempt) {
      const auto outcome = outcome_of(attempt);
      return outcome == AttemptOutcome::no_answer || outcome == AttemptOutcome::unjudged;
    });
    barren_in_a_row_ = barren ? barren_in_a_row_ + 1 : 0;
  }

 private:
  static constexpr int most_barren = 2;
  int rounds_;
  int round_ = 0;
  int barren_in_a_row_ = 0;
};

}  // namespace ridgeline::strategies
