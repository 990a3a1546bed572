// Reports a worker's proofs of tasks, each complaint with its place in the task's file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/suites/suite.hpp"

namespace ridgeline::suites::native {

class ProofReport {
 public:
  /// `tasks` must outlive the report, and `take` is given elements of it. `files` has the file of each.
  ProofReport(const std::vector<Task>& tasks, std::vector<std::filesystem::path> files)
      : tasks_(tasks), files_(std::move(files)) {}

  /// Adds a worker's reply about a task and returns its lines.
  CheckedTask take(const Task& task, const ProofOutcome& outcome);

  /// Returns the exit status: bad input if a task is not sound, else the machine's fault if one could not be
  /// checked.
  CheckSummary summary() const;

 private:
  CheckedTask judged(const Task& task, const protocol::Checked& checked, const std::filesystem::path& file);
  CheckedTask failed(const Task& task, const protocol::Failed& failure, const std::filesystem::path& file);

  const std::vector<Task>& tasks_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::string> unsound_, unchecked_;  ///< the first complaint about each such task
};

}  // namespace ridgeline::suites::native
