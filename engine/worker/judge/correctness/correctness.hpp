// The gate: every case, on standard, outlier and edge inputs, against the oracle.
//
// Visible cases go first, so that a failure can be told about as often as possible, then hidden ones, then
// (where asked for) `final` ones, which never gate. After the first failing case only what the public suite's
// own rule needs is still run. One thread.
#pragma once

#include <optional>
#include <vector>

#include "engine/core/fallback.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

struct CorrectnessSettings {
  bool hidden_cases = true;
  bool final_cases = false;
  double call_limit = 10;  ///< seconds, at most
  bool compiles = false;   ///< in its first call of a case: all calls together may take five minutes more
  Fallback fallback = Fallback::allow;
};

/// Fills `verdict`'s call and correctness stages and all that belongs to them. Returns how the runner ended,
/// if it did. Throws BadInput where the task itself fails.
std::optional<RunnerExit> check_correctness(PreparedTask& prepared, RunnerProcess& runner,
                                            const CorrectnessSettings& settings, Verdict& verdict);

}  // namespace ridgeline::judge
