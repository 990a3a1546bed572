#include "engine/history/trajectory_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/counted_reasons.hpp"
#include "engine/store/why_incomplete.hpp"

namespace ridgeline::history {

TrajectorySummary summary_of(std::span<const store::AttemptBrief> briefs) {
  TrajectorySummary summary;
  for (const auto& brief : briefs) {
    summary.rounds = std::max(summary.rounds, brief.round + 1);
    if (brief.evaluation == EvaluationStatus::evaluated) {
      ++summary.evaluations;
      if (!brief.judged) ++summary.not_judged;
    }
    if (brief.correct) ++summary.correct;
    summary.speedup = std::max(summary.speedup, brief.speedup);
    // A critic's prose and a request that was given up say nothing of what the trajectory has brought.
    const bool given_up =
        brief.answer == AnswerStatus::cancelled || brief.evaluation == EvaluationStatus::cancelled;
    const bool tells = brief.answer != AnswerStatus::prose && !given_up;
    if (tells && (!summary.last || brief.ended_at >= summary.last->ended_at)) summary.last = brief;
  }
  return summary;
}

std::string incomplete_line(const std::vector<store::TrajectoryRecord>& trajectories) {
  std::map<std::string, int> reasons;
  for (const auto& trajectory : trajectories)
    if (const auto why = store::why_incomplete(trajectory); !why.empty()) ++reasons[why];
  return reasons.empty() ? "" : counted_reasons("incomplete", reasons);
}

std::map<store::Id, std::span<const store::AttemptBrief>> by_trajectory(
    const std::vector<store::AttemptBrief>& briefs) {
  std::map<store::Id, std::span<const store::AttemptBrief>> spans;
  for (auto begin = briefs.begin(); begin != briefs.end();) {
    const auto end = std::find_if(begin, briefs.end(),
                                  [&](const auto& brief) { return brief.trajectory != begin->trajectory; });
    spans.emplace(begin->trajectory, std::span(begin, end));
    begin = end;
  }
  return spans;
}

std::string brief_line(const store::AttemptBrief& brief) {
  if (brief.answer != AnswerStatus::kernel) return std::string(to_string(brief.answer));
  if (!brief.evaluation) return "being judged";
  if (*brief.evaluation != EvaluationStatus::evaluated) return std::string(to_string(*brief.evaluation));
  if (brief.correct)
    return brief.speedup > 0 ? fmt::format("correct, {:.2f}x", brief.speedup) : "correct, not timed";
  if (!brief.judged && brief.reason == Reason::none) return "not judged";
  if (!brief.judged) return fmt::format("not judged: {}", to_string(brief.reason));
  if (brief.failed_at) return fmt::format("{}: {}", to_string(*brief.failed_at), to_string(brief.reason));
  return "rejected";
}

}  // namespace ridgeline::history
