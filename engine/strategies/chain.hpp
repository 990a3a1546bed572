// Keeps the state of a chain of refinements: each continues from the latest kernel, with the attempts before
// it as history.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/effects.hpp"

namespace ridgeline::strategies {

/// Holds what the next prompt of a chain builds on, and no more: a thousand trajectories are in memory at
/// once.
class Chain {
 public:
  /// Keeps `history` attempts before the latest.
  explicit Chain(int history) : history_(static_cast<std::size_t>(history)) {}

  /// Makes a judged candidate the latest. Keeps an answer without a kernel, whose reason the next prompt
  /// tells the model. Leaves the chain as it was if no model answered or no machine could judge.
  void learn(const Attempt& attempt);

  const ScoredCandidatePtr& latest() const { return latest_; }  ///< null before the first verdict
  const std::vector<ScoredCandidatePtr>& earlier() const { return earlier_; }  ///< oldest first
  /// Returns the last answer if it held no kernel; nullopt otherwise.
  const std::optional<Answer>& answer_without_kernel() const { return answer_without_kernel_; }

 private:
  std::size_t history_;  ///< most attempts in `earlier_`
  ScoredCandidatePtr latest_;
  std::vector<ScoredCandidatePtr> earlier_;
  std::optional<Answer> answer_without_kernel_;
};

}  // namespace ridgeline::strategies
