#include "engine/export/edges.hpp"

#include <unordered_map>

namespace ridgeline::exporting {

bool is_judged(const store::AttemptRecord& attempt) {
  return attempt.candidate && attempt.evaluation && attempt.evaluation->status == EvaluationStatus::evaluated;
}

Edges edges_of(const Walk& walk) {
  Edges found;
  // A candidate that came twice is the one that was judged first: prompts could only know that one.
  std::unordered_map<Hash, const store::AttemptRecord*> judged;
  for (const auto& attempt : walk.attempts) {
    const auto& change = attempt.ask.change;
    if (!walk.is_copy(attempt) && !attempt.ask.critic && !change.empty() && is_judged(attempt)) {
      const auto before = judged.find(change);
      if (before == judged.end()) {
        ++found.left_out["the changed candidate has no verdict in its trajectory"];
      } else if (attempt.candidate->hash == change) {
        ++found.left_out["the answer is the same source"];
      } else if (auto transition =
                     classify(before->second->evaluation->verdict, attempt.evaluation->verdict)) {
        found.edges.push_back({before->second, &attempt, std::move(*transition)});
      } else {
        ++found.left_out["the machine failed"];
      }
    }
    if (is_judged(attempt)) judged.emplace(attempt.candidate->hash, &attempt);
  }
  return found;
}

}  // namespace ridgeline::exporting
