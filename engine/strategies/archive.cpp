#include "engine/strategies/archive.hpp"

#include <algorithm>

namespace ridgeline::strategies {

bool Archive::offer(ScoredCandidatePtr candidate) {
  if (keep_ == 0 || !candidate || !candidate->verdict.correct()) return false;
  const auto speedup = candidate->verdict.speedup();
  for (const auto& member : members_)
    if (member.candidate->candidate.hash == candidate->candidate.hash) return false;
  if (members_.size() == keep_) {
    if (speedup <= members_.front().candidate->verdict.speedup()) return false;
    members_.erase(members_.begin());
  }
  // Inserted before the first member that is at least as fast: of two equals the earlier one ranks higher and
  // leaves last.
  const auto place = std::find_if(members_.begin(), members_.end(), [&](const Member& member) {
    return member.candidate->verdict.speedup() >= speedup;
  });
  members_.insert(place, Member{std::move(candidate), {}});
  return true;
}

void Archive::annotate(const Hash& candidate, std::string analysis) {
  for (auto& member : members_)
    if (member.candidate->candidate.hash == candidate) {
      member.analysis = std::move(analysis);
      return;
    }
}

AncestorsFeedback Archive::worst_to_best() const {
  AncestorsFeedback all;
  for (const auto& member : members_) {
    all.ancestors.push_back(member.candidate);
    all.analyses.push_back(member.analysis);
  }
  return all;
}

}  // namespace ridgeline::strategies
