// The timing stage: each timed case against its baseline, by the judge's clock, on inputs that were never
// seen, with timed calls compared afterwards. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

struct TimingSettings {
  double cap_seconds = 0.06;  ///< of measuring, a side and case
  double call_limit = 10;     ///< seconds, at most, before a call counts as hung
  bool hidden_cases = true;
  bool energy = false;  ///< joules of a call too, which takes more than a second a case
  /// Waits until the judge does nothing beside the calls; false: it did nothing.
  std::function<bool()> quieten = [] { return false; };
  /// Keeps interpreters that import from taking cores, until what is returned goes.
  std::function<std::shared_ptr<void>()> hold = [] { return nullptr; };
};

/// Fills `verdict`'s timing stage, timing, flags and notes. `ceilings` gives cache size and physics floor.
/// Returns how the runner ended, if it did.
std::optional<RunnerExit> time_candidate(PreparedTask& prepared, RunnerProcess& runner,
                                         const Ceilings& ceilings, const TimingSettings& settings,
                                         Verdict& verdict);

}  // namespace ridgeline::judge
