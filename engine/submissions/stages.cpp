#include "engine/submissions/stages.hpp"

#include <fmt/format.h>

namespace ridgeline::submissions {
namespace {

using nlohmann::json;
using Kind = ProcessEnd::Kind;

/// What each process of a submission is told.
json request_of(const Submission& submission, const char* stage, const std::filesystem::path& folder) {
  return {{"stage", stage},
          {"stem", submission.stem},
          {"candidate", submission.code},
          {"test", submission.task->parts.test},
          {"folder", folder.string()}};
}

json gates_of(const Submission& submission) {
  if (!submission.task->meta || !submission.task->meta->quantization) return nullptr;
  const auto& gates = submission.task->meta->quantization->gates;
  return {{"cosine_sim", gates.cosine}, {"l1_relative", gates.relative_l1}, {"rmse", gates.rmse}};
}

std::string told(const json& reported, const char* key) {
  const auto found = reported.find(key);
  return found != reported.end() && found->is_string() ? found->get<std::string>() : "";
}

bool said_yes(const json& reported, const char* key) {
  const auto found = reported.find(key);
  return found != reported.end() && found->is_boolean() && found->get<bool>();
}

StageEnd end_of(const ProcessEnd& end) {
  if (end.kind == Kind::late) return StageEnd::timed_out;
  if (end.kind == Kind::killed || end.exit < 0) return StageEnd::killed;
  return StageEnd::failed;
}

std::string killed_text(const ProcessEnd& end) {
  return end.what.empty() ? fmt::format("killed by signal {}", -end.exit) : end.what;
}

void note_time_out(const ProcessEnd& end, const char* stage, Correctness& correctness) {
  if (end.kind == Kind::late)
    correctness.notes.push_back(
        fmt::format("{}: {}; KernelBench-X's scripts would have waited on", stage, end.what));
}

}  // namespace

void read_call(const ProcessEnd& end, Correctness& correctness) {
  correctness.seconds += end.seconds;
  correctness.call_error = end.stderr_head;
  if (end.ok()) {
    correctness.call = StageEnd::passed;
    return;
  }
  if (const auto missing = told(end.reported, "missing_entry_point"); !missing.empty()) {
    correctness.call = StageEnd::no_entry;
    correctness.call_error = missing;
    return;
  }
  correctness.call = end_of(end);
  if (correctness.call != StageEnd::failed && correctness.call_error.empty())
    correctness.call_error = killed_text(end);
  note_time_out(end, "call", correctness);
}

bool read_execution(const ProcessEnd& end, Correctness& correctness) {
  correctness.seconds += end.seconds;
  const bool spoke = end.reported.contains("shared");
  if (spoke) {
    correctness.in_one_process = said_yes(end.reported, "shared");
    correctness.in_one_process_error = told(end.reported, "error");
  }
  if (said_yes(end.reported, "ran")) return true;
  correctness.execution = spoke ? StageEnd::failed : end_of(end);
  correctness.execution_error = spoke ? correctness.in_one_process_error : end.what;
  if (!spoke && end.kind == Kind::ended) {
    correctness.execution_error =
        end.exit < 0 ? killed_text(end) : fmt::format("ended its process with status {}", end.exit);
    correctness.notes.emplace_back(
        "execution: the candidate ended its process; in KernelBench-X's scripts that may end the stage for "
        "others too");
  }
  note_time_out(end, "execution", correctness);
  return false;
}

void read_comparison(const ProcessEnd& end, Correctness& correctness) {
  correctness.seconds += end.seconds;
  const bool same = end.kind == Kind::ended && said_yes(end.reported, "same");
  correctness.execution = same                            ? StageEnd::passed
                          : end.reported.contains("same") ? StageEnd::failed
                                                          : end_of(end);
  correctness.execution_error = told(end.reported, "error");
  if (!same && correctness.execution_error.empty())
    correctness.execution_error = end.kind == Kind::ended ? end.stderr_head : end.what;
  if (const auto figures = end.reported.find("figures"); figures != end.reported.end())
    correctness.quantization = *figures;
  note_time_out(end, "comparison", correctness);
  if (!correctness.isolation_changed()) return;
  correctness.notes.push_back(
      same ? fmt::format(
                 "isolation changes the verdict: right against a reference in a process of its own; in one "
                 "process with it wrong: {}",
                 correctness.in_one_process_error)
           : "isolation changes the verdict: right only with the reference in the candidate's own process");
}

std::optional<Correctness> check_correctness(Lane& lane, const Submission& submission,
                                             const std::filesystem::path& root, const StageLimits& limits) {
  Correctness correctness;
  if (submission.code.empty()) {
    correctness.call = StageEnd::empty;
    correctness.call_error = "Generation failed: empty prediction from model";
    return correctness;
  }
  auto request = request_of(submission, "call", root);
  request["fresh"] = true;
  const auto call = lane.run(request, limits.stage);
  if (call.kind == Kind::stopped) return std::nullopt;
  read_call(call, correctness);
  if (correctness.call != StageEnd::passed) return correctness;

  const auto quality = lane.run(request_of(submission, "quality", root), limits.stage);
  if (quality.kind == Kind::stopped) return std::nullopt;
  correctness.seconds += quality.seconds;
  correctness.quality = quality.reported.value("quality", json::object());

  if (!submission.task->meta) {
    correctness.execution = StageEnd::failed;
    correctness.execution_error =
        "a file outside the metadata: KernelBench-X's scripts do not find its reference";
    return correctness;
  }
  request = request_of(submission, "execute", root);
  request["reference"] = submission.task->path.string();
  request["gates"] = gates_of(submission);
  const auto execution = lane.run(request, limits.stage);
  if (execution.kind == Kind::stopped) return std::nullopt;
  if (!read_execution(execution, correctness)) return correctness;
  request["stage"] = "compare";
  const auto comparison = lane.run(request, limits.stage);
  if (comparison.kind == Kind::stopped) return std::nullopt;
  read_comparison(comparison, correctness);
  return correctness;
}

std::optional<Performance> measure_performance(Lane& lane, const Submission& submission,
                                               const std::filesystem::path& root, const StageLimits& limits) {
  Performance performance;
  const auto script = root / "metrics" / "golden_metrics" / (submission.stem + "_perf.py");
  if (!std::filesystem::exists(script)) {
    performance.error = "the clone has no metrics/golden_metrics/" + submission.stem + "_perf.py";
    performance.end = StageEnd::failed;
    return performance;
  }
  auto request = request_of(submission, "perform", root / "metrics");
  request["template"] = script.string();
  request["fresh"] = true;
  const auto end = lane.run(request, limits.bench);
  if (end.kind == Kind::stopped) return std::nullopt;
  performance.seconds = end.seconds;
  if (const auto rows = end.reported.find("sizes"); rows != end.reported.end() && rows->is_array())
    performance.sizes = *rows;
  performance.end = end.ok() ? StageEnd::passed : end_of(end);
  if (!end.ok()) performance.error = end.what.empty() ? end.stderr_head : end.what;
  return performance;
}

}  // namespace ridgeline::submissions
