// A chain of refinements: each continues from the latest kernel, with the attempts before it as history.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/effects.hpp"

namespace ridgeline::strategies {

/// What the next prompt of a chain builds on, and no more: a thousand trajectories are in memory at once.
class Chain {
 public:
  /// `history`: how many attempts before the latest it keeps.
  explicit Chain(int history) : history_(static_cast<std::size_t>(history)) {}

  /// A judged candidate becomes the latest. An answer without a kernel leaves its reason for the
  /// next prompt. A request that nobody answered, or a kernel that nobody could judge, leaves the chain where
  /// it was.
  void learn(const Attempt& attempt);

  const ScoredCandidatePtr& latest() const { return latest_; }  ///< null before the first that was judged
  const std::vector<ScoredCandidatePtr>& earlier() const { return earlier_; }  ///< oldest first
  const std::optional<Answer>& unread() const { return unread_; }  ///< the last answer, if it held no kernel

 private:
  std::size_t history_;
  ScoredCandidatePtr latest_;
  std::vector<ScoredCandidatePtr> earlier_;
  std::optional<Answer> unread_;
};

}  // namespace ridgeline::strategies
