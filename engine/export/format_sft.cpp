// TRL's conversational prompt-completion (https://huggingface.co/docs/trl/dataset_formats): the refinement
// prompt and what the model answered to it.
#include <nlohmann/json.hpp>

#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

json line_of(const TaskWalks& task, const Walk& walk, const store::AttemptRecord& after,
             const json& transition) {
  auto line = origin(walk, task.split);
  line.update(address(after.ask));
  line.update(transition);
  line["prompt"] = messages_of(after.ask);
  line["completion"] = as_completion(after.ask.response_text);
  const auto& verdict = after.evaluation->verdict;
  line["speedup"] = verdict.correct() && verdict.timing ? json(verdict.speedup()) : json(nullptr);
  line["device"] = verdict.device;
  return line;
}

/// The columns of a transition for an answer that changes nothing.
json first_facts(const Verdict& verdict) {
  Transition none;
  none.flags = verdict.suspicions();
  auto columns = facts(none);
  columns["kind"] = "first";
  return columns;
}

void write_first(const TaskWalks& task, const Walk& walk, Lines& lines) {
  for (const auto& attempt : walk.attempts) {
    if (walk.is_copy(attempt)) continue;
    if (!attempt.ask.change.empty() || !is_judged(attempt) || !attempt.evaluation->verdict.correct())
      continue;
    if (!lines.options().include_flagged && !attempt.evaluation->verdict.suspicions().empty()) {
      lines.leave_out("flagged");
      continue;
    }
    if (!lines.is_new(task.task.hash, Candidate{}, *attempt.candidate)) continue;
    lines.add("first", line_of(task, walk, attempt, first_facts(attempt.evaluation->verdict)));
  }
}

}  // namespace

void write_trl_sft(const TaskWalks& task, Lines& lines) {
  for (const auto& walk : task.walks) {
    if (lines.options().include_first_attempts) write_first(task, walk, lines);
    const auto found = edges_of(walk);
    lines.note(found);
    for (const auto& [before, after, transition] : found.edges) {
      if (!lines.is_wanted(transition, is_gain(transition.kind))) continue;
      if (!transition.complete() && !lines.options().include_incomplete) {
        lines.leave_out("not correct afterwards");
        continue;
      }
      if (!lines.is_new(task.task.hash, *before->candidate, *after->candidate)) continue;
      lines.add(std::string(to_string(transition.kind)), line_of(task, walk, *after, facts(transition)));
    }
  }
}

}  // namespace ridgeline::exporting
