// The timing stage: measures each timed case against its baseline by the judge's clock, on inputs that the
// candidate has never seen, and compares timed calls afterwards. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

struct TimingSettings {
  double cap_seconds = 0.06;  ///< seconds of timed windows for each side of a case
  double goal = 0;           ///< precision at which sampling of the candidate stops; 0: limits of the backend
  double call_limit = 10;    ///< seconds, at most, before a call counts as hung
  bool hidden_cases = true;  ///< whether hidden cases are timed too
  bool energy = false;       ///< whether joules of a call are measured too: more than a second a case
  /// Lets runners start and end until none does. Returns whether there was anything to wait for.
  std::function<bool()> wait_for_background_work = [] { return false; };
  /// Pauses interpreters that are importing, since that takes cores, until the returned object goes.
  std::function<std::shared_ptr<void>()> pause_importing_runners = [] { return nullptr; };
};

/// Times a candidate that `runner` has loaded, and fills `verdict`'s timing stage, timing, flags and notes.
/// `ceilings` gives the cache size and the physics floor. Returns how the runner ended, if it did. Throws
/// what the verifier and the backend throw.
std::optional<RunnerExit> time_candidate(PreparedTask& prepared, RunnerProcess& runner,
                                         const Ceilings& ceilings, const TimingSettings& settings,
                                         Verdict& verdict);

}  // namespace ridgeline::judge
