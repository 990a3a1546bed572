// Selects answers to learn from: the answer to a refinement prompt where it is a gain, and if asked for,
// right answers to a task's first prompt.
#include <nlohmann/json.hpp>

#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"
#include "engine/export/shapes.hpp"
#include "engine/export/worth.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

void add_answer(const TaskTrajectories& task, LineWriter& lines, const ExportedTrajectory& trajectory,
                const store::AttemptRecord& after, const json& transition, const Edge* edge) {
  if (after.ask.prompt == "[]") return lines.leave_out("its prompt was not kept");
  auto about = origin(trajectory, task.split);
  about.update(address(after.ask));
  about.update(transition);
  about.update(worth_of(task, trajectory, after, edge));
  about["turns"] = 1;
  about["speedup"] = after.evaluation->verdict.speedup();
  about["device"] = after.evaluation->verdict.device;
  lines.add(transition.at("kind").get<std::string>(),
            answer_line(lines.options().format, messages_of(after.ask), after.ask.response_text, about));
}

/// Writes the correct answers to the task's first prompt.
void write_first(const TaskTrajectories& task, const ExportedTrajectory& trajectory, LineWriter& lines) {
  for (const auto& attempt : trajectory.attempts) {
    if (trajectory.is_copy(attempt)) continue;
    if (attempt.ask.critic || !attempt.ask.change.empty() || !is_judged(attempt) ||
        !attempt.evaluation->verdict.correct())
      continue;
    if (!lines.options().include_flagged && !attempt.evaluation->verdict.suspicions().empty()) {
      lines.leave_out("flagged");
      continue;
    }
    // The empty candidate stands for "before": a first answer is new if no other has its source.
    if (!lines.is_new(task.task.hash, Candidate{}, *attempt.candidate)) continue;
    add_answer(task, lines, trajectory, attempt, first_facts(attempt.evaluation->verdict), nullptr);
  }
}

}  // namespace

void write_answers(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& trajectory : task.trajectories) {
    if (lines.options().include_first_attempts) write_first(task, trajectory, lines);
    const auto edges = edges_of(trajectory, lines.options().confidence);
    lines.note(edges);
    for (const auto& edge : edges.edges) {
      const auto& [before, after, transition] = edge;
      if (!lines.is_wanted(transition, is_gain(transition.kind))) continue;
      if (!transition.complete() && !lines.options().include_incomplete) {
        lines.leave_out("not correct afterwards");
        continue;
      }
      if (!lines.is_new(task.task.hash, *before->candidate, *after->candidate)) continue;
      add_answer(task, lines, trajectory, *after, facts(transition), &edge);
    }
  }
}

}  // namespace ridgeline::exporting
