// Writes lines as KernelBench-X's own corpus has them: its keys alone, its words, its order of kinds,
// difflib's figures, no memory. Two things it has and this has not: its test behind each source, and radon's
// index, which is of that Python text; here `maintainability` is "N/A", the corpus's word where radon could
// not read a file.
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/export/formats.hpp"
#include "engine/export/kbx.hpp"
#include "engine/export/row.hpp"
#include "engine/export/sequence_match.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

/// In the corpus any shorter time is a speedup_increase, also one within the noise.
std::string corpus_kinds(const KbxSide& before, const KbxSide& after) {
  std::string list;
  const auto add = [&](const char* name) { list += (list.empty() ? "" : ",") + std::string(name); };
  if (!before.execution && after.execution) add("exe_fail_to_pass");
  if (!before.call && after.call) add("call_fail_to_pass");
  if (!before.performance && after.performance) add("perf_ok_newly");
  const bool both = before.performance && after.performance;
  if (both && after.speedup > before.speedup) add("speedup_increase");
  if (before.execution && !after.execution) add("regression_exe");
  if ((before.performance && !after.performance) || (both && after.speedup < before.speedup))
    add("regression_perf");
  return list;
}

double with_digits(double value, double digits) {
  const double scale = std::pow(10.0, digits);
  return std::round(value * scale) / scale;
}

json corpus_side(const KbxSide& side) {
  const auto figure = [](double value) { return json(with_digits(value, 4)); };
  const auto if_timed = [&](double value) { return side.performance ? figure(value) : json(nullptr); };
  return {{"call_ok", side.call},
          {"exe_ok", side.execution},
          {"perf_ok", side.performance},
          {"dtype", side.performance ? side.dtype : ""},
          {"runtime_ms", if_timed(side.runtime_ms)},
          {"gbs", side.placed ? figure(side.gbs) : json(nullptr)},
          {"tflops", side.placed ? figure(side.tflops) : json(nullptr)},
          {"speedup", if_timed(side.speedup)},
          {"maintainability", "N/A"},
          {"error", side.error}};
}

json no_memory() {
  json memory = json::object();
  for (const auto* key : {"temp_strategy", "perf_strategy", "reflection_texts", "reflection", "pass_call",
                          "pass_exe", "pass_perf", "memory_source_round"})
    memory[key] = nullptr;
  return memory;
}

json corpus_line(const TaskTrajectories& task, const ExportedTrajectory& trajectory, const Edge& edge) {
  const auto before = kbx_side(task, *edge.before), after = kbx_side(task, *edge.after);
  const auto& old_code = edge.before->candidate->source;
  const auto& new_code = edge.after->candidate->source;
  const auto match = match_sequences(old_code, new_code);
  const auto from = "round_" + std::to_string(edge.before->ask.round);
  const auto to = "round_" + std::to_string(edge.after->ask.round);
  const auto kind = corpus_kinds(before, after);
  const auto file = kbx_file(trajectory.record);
  return {{"task_id", file},
          {"transition", from + "_to_" + to},
          {"from_round", from},
          {"to_round", to},
          {"kind", kind},
          {"before", corpus_side(before)},
          {"after", corpus_side(after)},
          {"before_code", old_code},
          {"after_code", new_code},
          {"before_code_present", true},
          {"after_code_present", true},
          {"unified_diff", unified_by_sequences(old_code, new_code, file + "::before", file + "::after")},
          {"diff_stats",
           {{"lines_a", match.lines_a},
            {"lines_b", match.lines_b},
            {"similarity_ratio", with_digits(match.ratio, 6)},
            {"opcodes_len", match.opcodes}}},
          {"llm_fields",
           {{"memory_after_round_from", no_memory()}, {"memory_after_next_round_from", no_memory()}}},
          {"notes", kind.find("regression") != std::string::npos ? "regression" : ""}};
}

}  // namespace

void write_kbx_strict(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& trajectory : task.trajectories) {
    const auto edges = edges_of(trajectory, lines.options().confidence);
    lines.note(edges);
    for (const auto& edge : edges.edges) {
      if (!lines.is_wanted(edge.transition, true)) continue;
      if (!lines.is_new(task.task.hash, *edge.before->candidate, *edge.after->candidate)) continue;
      auto line = corpus_line(task, trajectory, edge);
      if (line.at("kind") == "")
        lines.leave_out("none of the corpus's kinds");
      else
        lines.add(line.at("kind").get<std::string>(), line);
    }
  }
}

}  // namespace ridgeline::exporting
