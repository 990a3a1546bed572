// Performs the stages of a submission in a lane. Decides nothing about time or order of submissions.
#pragma once

#include <filesystem>
#include <optional>

#include "engine/submissions/lane.hpp"
#include "engine/submissions/outcome.hpp"
#include "engine/submissions/submission.hpp"

namespace ridgeline::submissions {

/// Seconds that a stage may take.
struct StageLimits {
  double stage = 300;  ///< each process of call and execution; KernelBench-X's scripts wait for ever
  double bench = 180;  ///< a performance script, as KERNELBENCHX_BENCH_TIMEOUT
};

/// Call, radon's figures, execution. nullopt: stopped, nothing is known. `root`: of the clone.
std::optional<Correctness> check_correctness(Lane& lane, const Submission& submission,
                                             const std::filesystem::path& root, const StageLimits& limits);

/// The task's script out of metrics/golden_metrics over the submission. nullopt: stopped.
std::optional<Performance> measure_performance(Lane& lane, const Submission& submission,
                                               const std::filesystem::path& root, const StageLimits& limits);

// Decisions, apart from I/O.

/// Reads how the process of the stage call ended into `correctness`.
void read_call(const ProcessEnd& end, Correctness& correctness);
/// Reads the candidate's process of the stage execution. Returns whether its results are worth comparing.
bool read_execution(const ProcessEnd& end, Correctness& correctness);
/// Reads what the process without a candidate found. Notes where isolation changes the verdict.
void read_comparison(const ProcessEnd& end, Correctness& correctness);

}  // namespace ridgeline::submissions
