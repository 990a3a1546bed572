// The best few correct candidates of a trajectory, each with what a critic wrote about it.
#pragma once

#include <string>
#include <vector>

#include "engine/core/feedback.hpp"

namespace ridgeline::strategies {

/// Holds the top `keep` candidates by speed-up. A full archive replaces its slowest by a faster candidate. Of
/// two equally fast the earlier stays, so that the order is the same on every run.
class Archive {
 public:
  explicit Archive(int keep) : keep_(static_cast<std::size_t>(keep)) {}

  /// Adds the candidate if it is correct, not a member already, and fast enough. Returns whether it was
  /// added.
  bool offer(ScoredCandidatePtr candidate);
  /// Sets a member's analysis. Does nothing if the candidate is no member (any more).
  void annotate(const Hash& candidate, std::string analysis);

  bool empty() const { return members_.empty(); }
  std::size_t size() const { return members_.size(); }
  /// Returns the fastest member; null if the archive is empty.
  ScoredCandidatePtr best() const { return members_.empty() ? nullptr : members_.back().candidate; }

  /// Returns the members slowest first, the order in which GEAK's prompt shows them.
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
