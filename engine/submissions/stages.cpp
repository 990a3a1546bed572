#include "engine/submissions/stages.hpp"

#include <fmt/format.h>

namespace ridgeline::submissions {
namespace {

using nlohmann::json;
using Kind = JobEnd::Kind;

/// What every job of a submission carries.
json job_of(const Submission& submission, const char* stage, const std::filesystem::path& folder) {
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

StageEnd end_of(const JobEnd& end) {
  if (end.kind == Kind::late) return StageEnd::timed_out;
  if (end.kind == Kind::killed || end.exit < 0) return StageEnd::killed;
  return StageEnd::failed;
}

std::string killed_text(const JobEnd& end) {
  return end.what.empty() ? fmt::format("killed by signal {}", -end.exit) : end.what;
}

void note_time_out(const JobEnd& end, const char* stage, Judged& judged) {
  if (end.kind == Kind::late)
    judged.notes.push_back(
        fmt::format("{}: {}; KernelBench-X's scripts would have waited on", stage, end.what));
}

}  // namespace

void read_call(const JobEnd& end, Judged& judged) {
  judged.seconds += end.seconds;
  judged.call_error = end.stderr_head;
  if (end.ok()) {
    judged.call = StageEnd::passed;
    return;
  }
  if (const auto missing = told(end.reported, "entry"); !missing.empty()) {
    judged.call = StageEnd::no_entry;
    judged.call_error = missing;
    return;
  }
  judged.call = end_of(end);
  if (judged.call != StageEnd::failed && judged.call_error.empty()) judged.call_error = killed_text(end);
  note_time_out(end, "call", judged);
}

bool read_execution(const JobEnd& end, Judged& judged) {
  judged.seconds += end.seconds;
  const bool spoke = end.reported.contains("shared");
  if (spoke) {
    judged.in_one_process = said_yes(end.reported, "shared");
    judged.in_one_process_error = told(end.reported, "error");
  }
  if (said_yes(end.reported, "ran")) return true;
  judged.execution = spoke ? StageEnd::failed : end_of(end);
  judged.execution_error = spoke ? judged.in_one_process_error : end.what;
  if (!spoke && end.kind == Kind::ended) {
    judged.execution_error =
        end.exit < 0 ? killed_text(end) : fmt::format("ended its process with status {}", end.exit);
    judged.notes.emplace_back(
        "execution: the candidate ended its process; in KernelBench-X's scripts that may end the stage for "
        "others too");
  }
  note_time_out(end, "execution", judged);
  return false;
}

void read_comparison(const JobEnd& end, Judged& judged) {
  judged.seconds += end.seconds;
  const bool same = end.kind == Kind::ended && said_yes(end.reported, "same");
  judged.execution = same ? StageEnd::passed : end.reported.contains("same") ? StageEnd::failed : end_of(end);
  judged.execution_error = told(end.reported, "error");
  if (!same && judged.execution_error.empty())
    judged.execution_error = end.kind == Kind::ended ? end.stderr_head : end.what;
  if (const auto figures = end.reported.find("figures"); figures != end.reported.end())
    judged.quantization = *figures;
  note_time_out(end, "comparison", judged);
  if (!judged.isolation_changed()) return;
  judged.notes.push_back(
      same ? fmt::format(
                 "isolation changes the verdict: right against a reference in a process of its own; in one "
                 "process with it wrong: {}",
                 judged.in_one_process_error)
           : "isolation changes the verdict: right only with the reference in the candidate's own process");
}

std::optional<Judged> judge(Lane& lane, const Submission& submission, const std::filesystem::path& root,
                            const StageLimits& limits) {
  Judged judged;
  if (submission.code.empty()) {
    judged.call = StageEnd::empty;
    judged.call_error = "Generation failed: empty prediction from model";
    return judged;
  }
  auto job = job_of(submission, "call", root);
  job["fresh"] = true;
  const auto call = lane.run(job, limits.stage);
  if (call.kind == Kind::stopped) return std::nullopt;
  read_call(call, judged);
  if (judged.call != StageEnd::passed) return judged;

  const auto quality = lane.run(job_of(submission, "quality", root), limits.stage);
  if (quality.kind == Kind::stopped) return std::nullopt;
  judged.seconds += quality.seconds;
  judged.quality = quality.reported.value("quality", json::object());

  if (!submission.task->meta) {
    judged.execution = StageEnd::failed;
    judged.execution_error = "a file outside the metadata: KernelBench-X's scripts do not find its reference";
    return judged;
  }
  job = job_of(submission, "execute", root);
  job["reference"] = submission.task->path.string();
  job["gates"] = gates_of(submission);
  const auto execution = lane.run(job, limits.stage);
  if (execution.kind == Kind::stopped) return std::nullopt;
  if (!read_execution(execution, judged)) return judged;
  job["stage"] = "compare";
  const auto comparison = lane.run(job, limits.stage);
  if (comparison.kind == Kind::stopped) return std::nullopt;
  read_comparison(comparison, judged);
  return judged;
}

std::optional<Timed> time(Lane& lane, const Submission& submission, const std::filesystem::path& root,
                          const StageLimits& limits) {
  Timed timed;
  const auto script = root / "metrics" / "golden_metrics" / (submission.stem + "_perf.py");
  if (!std::filesystem::exists(script)) {
    timed.error = "the clone has no metrics/golden_metrics/" + submission.stem + "_perf.py";
    timed.end = StageEnd::failed;
    return timed;
  }
  auto job = job_of(submission, "perform", root / "metrics");
  job["template"] = script.string();
  job["fresh"] = true;
  const auto end = lane.run(job, limits.bench);
  if (end.kind == Kind::stopped) return std::nullopt;
  timed.seconds = end.seconds;
  if (const auto rows = end.reported.find("rows"); rows != end.reported.end() && rows->is_array())
    timed.rows = *rows;
  timed.end = end.ok() ? StageEnd::passed : end_of(end);
  if (!end.ok()) timed.error = end.what.empty() ? end.stderr_head : end.what;
  return timed;
}

}  // namespace ridgeline::submissions
