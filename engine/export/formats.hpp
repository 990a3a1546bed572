// One function a format: a task's walks in, lines out. The driver (export.cpp) groups the store by task.
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

namespace ridgeline::exporting {

/// A task with every walk on it; walks ordered by trajectory.
struct TaskWalks {
  store::TaskRecord task;
  Split split = Split::train;
  std::optional<std::set<std::string>> secret;  ///< its hidden and final cases; nullopt: tell everything
  std::vector<Walk> walks;

  /// What a line may tell of an attempt.
  Verdict told(const store::AttemptRecord& attempt) const;
};

/// What the formats write to: counts, and keeps pairs from coming twice.
class Lines {
 public:
  Lines(const ExportOptions& options, std::function<void(const nlohmann::json&)> write)
      : options_(options), write_(std::move(write)) {}

  void add(const std::string& kind, const nlohmann::json& line);
  void leave_out(const std::string& reason, int count = 1);
  /// False, and counted, if the pair was exported before.
  bool is_new(const Hash& task, const Candidate& one, const Candidate& other);
  /// False, and counted, if the options leave such transitions out.
  bool is_wanted(const Transition& transition, bool by_default);
  void note(const Edges& edges);

  const ExportOptions& options() const { return options_; }
  const ExportReport& report() const { return report_; }

 private:
  const ExportOptions& options_;
  std::function<void(const nlohmann::json&)> write_;
  SeenPairs seen_;
  ExportReport report_;
};

void write_trl_sft(const TaskWalks& task, Lines& lines);
void write_trl_dpo_siblings(const TaskWalks& task, Lines& lines);
void write_trl_dpo_transitions(const TaskWalks& task, Lines& lines);
void write_kbx(const TaskWalks& task, Lines& lines);
void write_jsonl(const TaskWalks& task, Lines& lines);

}  // namespace ridgeline::exporting
