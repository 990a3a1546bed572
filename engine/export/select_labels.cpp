// Selects answers that are wanted or not, each on its own: every answer that was judged, a right one as
// wanted unless it made a kernel slower, a wrong one as unwanted.
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"
#include "engine/export/shapes.hpp"
#include "engine/export/worth.hpp"

namespace ridgeline::exporting {
namespace {

/// Whether the answer is wanted; nullopt if it is as good as what it was asked to improve. A cheat never is.
std::optional<bool> is_wanted_answer(const Verdict& verdict, const Transition* change) {
  if (!verdict.correct() || !verdict.suspicions().empty()) return false;
  if (change == nullptr || is_gain(change->kind)) return true;
  if (change->kind == TransitionKind::regression_performance) return false;
  return std::nullopt;
}

}  // namespace

void write_labels(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& trajectory : task.trajectories) {
    const auto edges = edges_of(trajectory, lines.options().confidence);
    lines.note(edges);
    std::unordered_map<const store::AttemptRecord*, const Edge*> edge_to;
    for (const auto& edge : edges.edges) edge_to[edge.after] = &edge;
    for (const auto& attempt : trajectory.attempts) {
      if (trajectory.is_copy(attempt) || attempt.ask.critic || !is_judged(attempt)) continue;
      const auto at = edge_to.find(&attempt);
      const auto* change = at == edge_to.end() ? nullptr : &at->second->transition;
      if (change == nullptr && !attempt.ask.change.empty()) continue;  // counted by note()
      const auto& verdict = attempt.evaluation->verdict;
      if (change == nullptr && !lines.options().kinds.empty()) continue;
      if (change != nullptr && !lines.is_wanted(*change, true)) continue;
      if (change == nullptr && !lines.options().include_flagged && !verdict.suspicions().empty()) {
        lines.leave_out("flagged");
        continue;
      }
      const auto label = is_wanted_answer(verdict, change);
      if (!label) {
        lines.leave_out("neither better nor worse than before");
        continue;
      }
      if (attempt.ask.prompt == "[]") {
        lines.leave_out("its prompt was not kept");
        continue;
      }
      const auto before = change == nullptr ? Candidate{} : *at->second->before->candidate;
      if (!lines.is_new(task.task.hash, before, *attempt.candidate)) continue;
      auto about = origin(trajectory, task.split);
      about.update(address(attempt.ask));
      about.update(change != nullptr ? facts(*change) : first_facts(verdict));
      about.update(worth_of(task, trajectory, attempt, change != nullptr ? at->second : nullptr));
      about["speedup"] = verdict.speedup();
      about["reward"] = lines.reward().of(verdict).value_or(0);
      about["device"] = verdict.device;
      lines.add(*label ? "wanted" : "unwanted", label_line(lines.options().format, messages_of(attempt.ask),
                                                           attempt.ask.response_text, *label, about));
    }
  }
}

}  // namespace ridgeline::exporting
