// Checks correctness: every case on standard, outlier and edge inputs, against the oracle.
//
// Visible cases go first, so that a failure can be described as often as possible; then hidden cases; then,
// if asked for, `final` cases, which never decide. After the first failing case only what the public suite's
// own rule needs is run. One thread.
#pragma once

#include <optional>
#include <vector>

#include "engine/core/fallback.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Says which cases are checked, and how.
struct CorrectnessSettings {
  bool hidden_cases = true;
  bool final_cases = false;
  double call_limit = 10;  ///< the most seconds of one call
  bool compiles =
      false;  ///< the first call of a case may compile: runner_limits::compile is the allowance for that
  FallbackPolicy fallback = FallbackPolicy::allow;
};

/// Fills in the call and correctness stages of `verdict`, and everything that belongs to them. Returns how
/// the runner ended, if it did. Throws BadInput if the task itself fails.
std::optional<RunnerExit> check_correctness(PreparedTask& prepared, RunnerProcess& runner,
                                            const CorrectnessSettings& settings, Verdict& verdict);

}  // namespace ridgeline::judge
