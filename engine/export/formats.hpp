// Declares what can be exported: each function writes one kind of lines for one task. export.cpp groups the
// store by task and picks the function by the options. One thread.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/export/dedup.hpp"
#include "engine/export/edges.hpp"
#include "engine/export/options.hpp"
#include "engine/export/reward_formula.hpp"

namespace ridgeline::exporting {

/// A task with all trajectories on it, in the order of their ids.
struct TaskTrajectories {
  store::TaskRecord task;
  Split split = Split::train;
  std::optional<std::set<std::string>> secret;  ///< its hidden and final cases; nullopt: export everything
  std::vector<ExportedTrajectory> trajectories;

  /// Returns the verdict of an attempt without what its line must not show.
  Verdict visible_verdict(const store::AttemptRecord& attempt) const;
};

/// Passes lines on to `write`, and counts them; recognizes pairs that come twice. `options` must outlive it.
class LineWriter {
 public:
  LineWriter(const ExportOptions& options, std::function<void(const nlohmann::json&)> write)
      : options_(options), write_(std::move(write)), reward_(options.reward) {}

  /// Writes a line and counts it under `kind`.
  void add(const std::string& kind, const nlohmann::json& line);
  /// Counts what was left out, by reason.
  void leave_out(const std::string& reason, int count = 1);
  /// Returns false, and counts it, if the pair was exported before.
  bool is_new(const Hash& task, const Candidate& first, const Candidate& second);
  /// Returns false, and counts it, if the options leave such transitions out. `by_default`: whether the
  /// format takes it where the options name no kinds.
  bool is_wanted(const Transition& transition, bool by_default);
  /// Counts the attempts that gave no transition.
  void note(const Edges& edges);

  const ExportOptions& options() const { return options_; }
  const RewardFormula& reward() const { return reward_; }
  const ExportReport& report() const { return report_; }

 private:
  const ExportOptions& options_;
  std::function<void(const nlohmann::json&)> write_;
  RewardFormula reward_;
  ExportedPairs seen_;
  ExportReport report_;
};

// Training data, to which shapes.hpp gives the trainer's form. Answers: those that improved a kernel.
// Conversations: a trajectory's way to its best kernel. Siblings: pairs of answers to one prompt. Before and
// after: pairs of a kernel and what it was changed into. Labels: each answer, wanted or not. Prompts: each
// with its answers.
void write_answers(const TaskTrajectories& task, LineWriter& lines);
void write_conversations(const TaskTrajectories& task, LineWriter& lines);
void write_siblings(const TaskTrajectories& task, LineWriter& lines);
void write_before_and_after(const TaskTrajectories& task, LineWriter& lines);
void write_labels(const TaskTrajectories& task, LineWriter& lines);
void write_prompts(const TaskTrajectories& task, LineWriter& lines);
// For analysis: Harbor's trajectories (ATIF), transitions under the keys of KernelBench-X's corpus (kbx;
// strict: with nothing of ours), submissions to its scripts, and every attempt with all that is known about
// it (jsonl).
void write_atif(const TaskTrajectories& task, LineWriter& lines);
void write_kbx(const TaskTrajectories& task, LineWriter& lines);
void write_kbx_strict(const TaskTrajectories& task, LineWriter& lines);
void write_kbx_predictions(const TaskTrajectories& task, LineWriter& lines);
void write_jsonl(const TaskTrajectories& task, LineWriter& lines);

/// Returns the columns of the lines that these options ask for (schema.hpp).
nlohmann::json schema_of(const ExportOptions& options);

}  // namespace ridgeline::exporting
