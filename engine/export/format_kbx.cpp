// Writes lines with the keys of KernelBench-X's corpus (BonnieW05/KernelBenchX, kbx_corpus).
//
// Always "" is `temp_strategy`: the engine asks for no strategy apart from the reflection. Null are
// `maintainability` of Python candidates, and figures of a side that was not timed.
#include <nlohmann/json.hpp>

#include "engine/code_quality/maintainability.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/kbx.hpp"
#include "engine/export/line_diff.hpp"
#include "engine/export/row.hpp"
#include "engine/export/worth.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

/// The names of all changes in KernelBench-X's words, separated by commas; one transition may have several.
std::string kinds(const KbxSide& before, const KbxSide& after, TransitionKind kind) {
  std::string list;
  const auto add = [&](const char* name) { list += (list.empty() ? "" : ",") + std::string(name); };
  if (!before.call && after.call) add("call_fail_to_pass");
  if (!before.execution && after.execution) add("exe_fail_to_pass");
  if (!before.performance && after.performance) add("perf_ok_newly");
  if (kind == TransitionKind::optimization) add("speedup_increase");
  if (before.execution && !after.execution) add("regression_exe");
  if (kind == TransitionKind::regression_performance || (before.performance && !after.performance))
    add("regression_perf");
  return list.empty() ? std::string(to_string(kind)) : list;
}

/// The columns of one candidate: "before" or "after".
json columns_of(const KbxSide& side, const Candidate& candidate) {
  const auto quality = code_quality::maintainability(candidate.source, candidate.language);
  const auto if_known = [](bool known, double value) { return known ? json(value) : json(nullptr); };
  return {{"call_ok", side.call},
          {"exe_ok", side.execution},
          {"perf_ok", side.performance},
          {"dtype", side.dtype},
          {"runtime_ms", if_known(side.performance, side.runtime_ms)},
          {"gbs", if_known(side.placed, side.gbs)},
          {"tflops", if_known(side.placed, side.tflops)},
          {"speedup", if_known(side.performance, side.speedup)},
          {"maintainability", quality ? json(quality->index) : json(nullptr)},
          {"error", side.error}};
}

/// Whether a critic was asked about the candidate: its source or errors were in the prompt.
bool is_about(const store::AskRecord& ask, const Hash& candidate) {
  for (const auto& item : json::parse(ask.feedback))
    if (item.value("about", "") == candidate) return true;
  return false;
}

/// The reflections on a candidate, up to the step at which it was changed again.
json memory_of(const ExportedTrajectory& trajectory, const store::AttemptRecord& about, const KbxSide& side,
               int before_step) {
  auto texts = json::array();
  std::string performance;
  for (const auto& attempt : trajectory.attempts) {
    const auto& ask = attempt.ask;
    if (!ask.critic || ask.step >= before_step || !is_about(ask, about.candidate->hash)) continue;
    if (ask.status != AnswerStatus::prose) continue;
    texts.push_back(ask.response_text);
    if (ask.role.find("performance") != std::string::npos) performance = ask.response_text;
  }
  const auto last = texts.empty() ? json("") : texts.back();
  return {{"temp_strategy", ""},           {"perf_strategy", performance},
          {"reflection_texts", texts},     {"reflection", last},
          {"pass_call", side.call},        {"pass_exe", side.execution},
          {"pass_perf", side.performance}, {"memory_source_round", about.ask.round}};
}

json line_of(const TaskTrajectories& task, const ExportedTrajectory& trajectory, const Edge& edge) {
  const auto before = kbx_side(task, *edge.before), after = kbx_side(task, *edge.after);
  const auto& old_code = edge.before->candidate->source;
  const auto& new_code = edge.after->candidate->source;
  const auto diff = diff_lines(old_code, new_code);
  const int from = edge.before->ask.round, to = edge.after->ask.round;
  auto line = origin(trajectory, task.split);
  line.update(address(edge.after->ask));
  line.update(facts(edge.transition));
  line.update(worth_of(task, trajectory, *edge.after, &edge));
  line["task_id"] = trajectory.record.task_name;
  line["transition"] = "round_" + std::to_string(from) + "_to_round_" + std::to_string(to);
  line["from_round"] = from;
  line["to_round"] = to;
  line["transition_kind"] = to_string(edge.transition.kind);
  line["kind"] = kinds(before, after, edge.transition.kind);
  line["before"] = columns_of(before, *edge.before->candidate);
  line["after"] = columns_of(after, *edge.after->candidate);
  line["before_code"] = old_code;
  line["after_code"] = new_code;
  line["before_code_present"] = true;
  line["after_code_present"] = true;
  line["unified_diff"] = unified(diff, "before", "after");
  line["diff_stats"] = {{"lines_a", diff.before},
                        {"lines_b", diff.after},
                        {"similarity_ratio", diff.similarity()},
                        {"opcodes_len", diff.blocks}};
  constexpr int ever = 1 << 30;  // no later step limits the second memory
  line["llm_fields"] = {
      {"memory_after_round_from", memory_of(trajectory, *edge.before, before, edge.after->ask.step)},
      {"memory_after_next_round_from", memory_of(trajectory, *edge.after, after, ever)}};
  line["notes"] = edge.transition.flagged() ? "flagged" : "";
  return line;
}

}  // namespace

void write_kbx(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& trajectory : task.trajectories) {
    const auto edges = edges_of(trajectory, lines.options().confidence);
    lines.note(edges);
    for (const auto& edge : edges.edges) {
      if (!lines.is_wanted(edge.transition, true)) continue;
      if (!lines.is_new(task.task.hash, *edge.before->candidate, *edge.after->candidate)) continue;
      lines.add(std::string(to_string(edge.transition.kind)), line_of(task, trajectory, edge));
    }
  }
}

}  // namespace ridgeline::exporting
