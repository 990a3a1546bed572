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

Edges edges_of(const ExportedTrajectory& trajectory, double confidence) {
  Edges edges;
  // If a candidate came twice, the attempt that was judged first counts: later prompts could only know that
  // one.
  std::unordered_map<Hash, const store::AttemptRecord*> judged;
  std::unordered_set<Hash> not_judged;
  for (const auto& attempt : trajectory.attempts) {
    const auto& change = attempt.ask.change;
    if (!trajectory.is_copy(attempt) && !attempt.ask.critic && !change.empty() && was_evaluated(attempt)) {
      const auto before = judged.find(change);
      if (!is_judged(attempt) || not_judged.contains(change)) {
        ++edges.left_out["not judged: the machine failed"];
      } else if (before == judged.end()) {
        ++edges.left_out["the changed candidate has no verdict in its trajectory"];
      } else if (attempt.candidate->hash == change) {
        ++edges.left_out["the answer is the same source"];
      } else if (auto transition =
                     classify(before->second->evaluation->verdict, attempt.evaluation->verdict, confidence)) {
        edges.edges.push_back({before->second, &attempt, std::move(*transition)});
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
  return edges;
}

}  // namespace ridgeline::exporting
