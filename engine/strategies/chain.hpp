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

  /// Makes a judged candidate the latest. Keeps an answer without a kernel until then, whose reason the next
  /// prompts tell the model. If no model answered or no machine could judge, nothing was learnt: the chain
  /// stays as it was, and the next prompt is the same again.
  void learn(const Attempt& attempt);

  const ScoredCandidatePtr& latest() const { return latest_; }  ///< null before the first verdict
  const std::vector<ScoredCandidatePtr>& earlier() const { return earlier_; }  ///< oldest first
  /// Returns the last answer without a kernel since the latest verdict; nullopt if there is none.
  const std::optional<Answer>& answer_without_kernel() const { return answer_without_kernel_; }

 private:
  std::size_t history_;  ///< most attempts in `earlier_`
  ScoredCandidatePtr latest_;
  std::vector<ScoredCandidatePtr> earlier_;
  std::optional<Answer> answer_without_kernel_;
};

}  // namespace ridgeline::strategies
