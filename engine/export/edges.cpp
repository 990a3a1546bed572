#include "engine/export/edges.hpp"

#include <unordered_map>
#include <unordered_set>

namespace ridgeline::exporting {

bool was_evaluated(const store::AttemptRecord& attempt) {
  return attempt.candidate && attempt.evaluation && attempt.evaluation->status == EvaluationStatus::evaluated;
}

bool is_judged(const store::AttemptRecord& attempt) {
  return was_evaluated(attempt) && attempt.evaluation->verdict.judged();
}

Edges edges_of(const Walk& walk) {
  Edges found;
  // A candidate that came twice is the one that was judged first: prompts could only know that one.
  std::unordered_map<Hash, const store::AttemptRecord*> judged;
  std::unordered_set<Hash> not_judged;
  for (const auto& attempt : walk.attempts) {
    const auto& change = attempt.ask.change;
    if (!walk.is_copy(attempt) && !attempt.ask.critic && !change.empty() && was_evaluated(attempt)) {
      const auto before = judged.find(change);
      if (!is_judged(attempt) || not_judged.contains(change)) {
        ++found.left_out["not judged: the machine failed"];
      } else if (before == judged.end()) {
        ++found.left_out["the changed candidate has no verdict in its trajectory"];
      } else if (attempt.candidate->hash == change) {
        ++found.left_out["the answer is the same source"];
      } else if (auto transition =
                     classify(before->second->evaluation->verdict, attempt.evaluation->verdict)) {
        found.edges.push_back({before->second, &attempt, std::move(*transition)});
      }
    }
    if (!was_evaluated(attempt)) continue;
    const auto& hash = attempt.candidate->hash;
    if (is_judged(attempt)) {
      judged.emplace(hash, &attempt);
      not_judged.erase(hash);
    } else if (!judged.contains(hash)) {
      not_judged.insert(hash);
    }
  }
  return found;
}

}  // namespace ridgeline::exporting
