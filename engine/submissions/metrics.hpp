// The two documents of a scoring: metrics.json and summary.json, under KernelBench-X's keys, and ours beside
// them under the key "ridgeline". Decisions, without I/O.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/submissions/golden.hpp"
#include "engine/submissions/outcome.hpp"
#include "engine/submissions/submission.hpp"

namespace ridgeline::submissions {

/// A submission with all that was found about it.
struct Scored {
  Submission submission;
  Correctness correctness;
  std::optional<Performance> performance;  ///< if it was right, and times were asked for
  std::optional<Efficiency> efficiency;    ///< if its script left a table
  std::string dtype;                       ///< dtype_of_script; "" without a table
};

/// States what was scored, and on which machine, for the summary.
struct Circumstances {
  std::string method;  ///< the name of the output's folder, as KernelBench-X's scripts have it
  bool on_cpu = false;
  bool timed = true;  ///< false: --no-time
  std::string card, python, torch, triton, radon, isolation, golden;
  std::vector<std::string> categories;  ///< of each task of the metadata, once a task
};

/// {"Math/abs.py": {...}, ...}. Each entry has KernelBench-X's keys and "ridgeline".
nlohmann::json metrics_document(const std::vector<Scored>& all, const Circumstances& where);
/// KernelBench-X's keys and "ridgeline".
nlohmann::json summary_document(const std::vector<Scored>& all, const Circumstances& where);

/// Whether it passes the stage performance by KernelBench-X's scripts.
bool passes_performance(const Scored& one);

}  // namespace ridgeline::submissions
