// Writes TRL's conversational prompt-completion lines (https://huggingface.co/docs/trl/dataset_formats): the
// refinement prompt and the model's answer to it.
#include <nlohmann/json.hpp>

#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

json line_of(const TaskTrajectories& task, const ExportedTrajectory& trajectory,
             const store::AttemptRecord& after, const json& transition) {
  auto line = origin(trajectory, task.split);
  line.update(address(after.ask));
  line.update(transition);
  line["prompt"] = messages_of(after.ask);
  line["completion"] = as_completion(after.ask.response_text);
  const auto& verdict = after.evaluation->verdict;
  line["speedup"] = verdict.correct() && verdict.timing ? json(verdict.speedup()) : json(nullptr);
  line["device"] = verdict.device;
  return line;
}

/// The columns of a transition for a first answer, which changes no candidate.
json first_facts(const Verdict& verdict) {
  Transition none;
  none.flags = verdict.suspicions();
  auto columns = facts(none);
  columns["kind"] = "first";
  return columns;
}

/// Writes the correct answers to the task's first prompt.
void write_first(const TaskTrajectories& task, const ExportedTrajectory& trajectory, LineWriter& lines) {
  for (const auto& attempt : trajectory.attempts) {
    if (trajectory.is_copy(attempt)) continue;
    if (!attempt.ask.change.empty() || !is_judged(attempt) || !attempt.evaluation->verdict.correct())
      continue;
    if (!lines.options().include_flagged && !attempt.evaluation->verdict.suspicions().empty()) {
      lines.leave_out("flagged");
      continue;
    }
    // The empty candidate stands for "before": a first answer is new if no other has its source.
    if (!lines.is_new(task.task.hash, Candidate{}, *attempt.candidate)) continue;
    lines.add("first", line_of(task, trajectory, attempt, first_facts(attempt.evaluation->verdict)));
  }
}

}  // namespace

void write_trl_sft(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& trajectory : task.trajectories) {
    if (lines.options().include_first_attempts) write_first(task, trajectory, lines);
    const auto edges = edges_of(trajectory);
    lines.note(edges);
    for (const auto& [before, after, transition] : edges.edges) {
      if (!lines.is_wanted(transition, is_gain(transition.kind))) continue;
      if (!transition.complete() && !lines.options().include_incomplete) {
        lines.leave_out("not correct afterwards");
        continue;
      }
      if (!lines.is_new(task.task.hash, *before->candidate, *after->candidate)) continue;
      lines.add(std::string(to_string(transition.kind)),
                line_of(task, trajectory, *after, facts(transition)));
    }
  }
}

}  // namespace ridgeline::exporting
