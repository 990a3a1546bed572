// The best few correct candidates of a trajectory, each with what a critic wrote about it.
#pragma once

#include <string>
#include <vector>

#include "engine/core/feedback.hpp"

namespace ridgeline::strategies {

/// Top-k by speed-up. When it is full a faster candidate replaces the slowest; equals do not, so that the
/// earlier one stays and the order is the same on every run. A source that is in it already is not taken
/// twice.
class Archive {
 public:
  explicit Archive(int keep) : keep_(static_cast<std::size_t>(keep)) {}

  /// Takes the candidate if it is correct, new and good enough. True if it did.
  bool offer(ScoredCandidatePtr candidate);
  /// Sets the analysis of a member; nothing if it is not one (any more).
  void annotate(const Hash& candidate, std::string analysis);

  bool empty() const { return members_.empty(); }
  std::size_t size() const { return members_.size(); }
  ScoredCandidatePtr best() const { return members_.empty() ? nullptr : members_.back().candidate; }

  /// Slowest first, the order in which a prompt shows them.
  AncestorsFeedback worst_to_best() const;

 private:
  struct Member {
    ScoredCandidatePtr candidate;
    std::string analysis;
  };
  std::size_t keep_;
  std::vector<Member> members_;  // slowest first
};

}  // namespace ridgeline::strategies
