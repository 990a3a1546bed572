// Counts rounds and says when a strategy has had enough of them.
#pragma once

#include <algorithm>
#include <span>

#include "engine/strategies/outcome.hpp"

namespace ridgeline::strategies {

/// Done after `rounds` rounds, or after two in a row that taught nothing: no model answered or no verdict
/// came, and going on would spend the budget on a fault of the surroundings.
class Stopper {
 public:
  explicit Stopper(int rounds) : rounds_(rounds) {}

  int round() const { return round_; }  ///< the running one, from 0
  bool done() const { return round_ >= rounds_ || barren_in_a_row_ >= most_barren; }

  void round_ended(std::span<const Attempt> attempts) {
    ++round_;
    const bool barren = std::all_of(attempts.begin(), attempts.end(), [](const Attempt& one) {
      const auto outcome = outcome_of(one);
      return outcome == Outcome::no_answer || outcome == Outcome::unjudged;
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
