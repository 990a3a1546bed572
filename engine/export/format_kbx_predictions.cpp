// Writes submissions to KernelBench-X's scripts: {"predict": code, "file": "Category/name.py"}, one a task.
//
// Takes the first trajectory of each task. Others of the same method are repetitions, and the best of several
// would be a score of several tries.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <regex>

#include "engine/core/language.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/kbx.hpp"
#include "engine/export/row.hpp"

namespace ridgeline::exporting {
namespace {

/// Native tasks that KernelBench-X does not have.
constexpr std::array ours_alone = {"adam", "sgd", "fused_mul_add_gelu", "layer_norm"};

/// The trajectory's answer: its fastest right one, else the latest of those that got furthest. Null if it has
/// none, or only flagged ones.
const store::AttemptRecord* answer_of(const ExportedTrajectory& trajectory, bool flagged_too) {
  const store::AttemptRecord* best = nullptr;
  const auto standing = [](const store::AttemptRecord& attempt) {
    const auto& verdict = attempt.evaluation->verdict;
    return std::pair(rank_of(verdict), verdict.scorable() ? verdict.speedup() : 0.0);
  };
  for (const auto& attempt : trajectory.attempts) {
    if (attempt.ask.critic || !is_judged(attempt)) continue;
    if (!flagged_too && !attempt.evaluation->verdict.suspicions().empty()) continue;
    if (best == nullptr || standing(attempt) >= standing(*best)) best = &attempt;
  }
  return best;
}

/// Whether the text's top level may define what its tests call: KernelBench-X asks for it before it runs one.
bool defines_entry(const std::string& source, const std::string& stem) {
  const std::regex entry("(^|\\n)(def[ \\t]+)?(" + stem + R"(|kernel_function)[ \t]*[(=:])");
  return std::regex_search(source, entry);
}

}  // namespace

void write_kbx_predictions(const TaskTrajectories& task, LineWriter& lines) {
  const auto& first = task.trajectories.front();
  const auto file = kbx_file(first.record);
  const auto stem = file.substr(file.find('/') + 1, file.size() - file.find('/') - 4);
  if (task.trajectories.size() > 1)
    lines.leave_out("a repetition of the task", static_cast<int>(task.trajectories.size()) - 1);
  if (std::ranges::find(ours_alone, stem) != ours_alone.end())
    return lines.leave_out("a task that KernelBench-X does not have");
  const auto* const answer = answer_of(first, lines.options().include_flagged);
  const std::string code = answer ? answer->candidate->source : "";
  if (answer && traits(answer->candidate->language).syntax != Syntax::python)
    return lines.leave_out("not in Python");
  if (answer && !defines_entry(code, stem) && !lines.options().include_incomplete)
    return lines.leave_out("its top level defines neither the task's name nor kernel_function");
  lines.add(answer ? outcome(answer->evaluation->verdict) : "no answer", {{"predict", code}, {"file", file}});
}

}  // namespace ridgeline::exporting
