// Measures or checks the kept baseline (baseline.hpp) while nothing slows it: the candidate is paused, and
// the device has finished what the candidate left on it. One thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <variant>

#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/baseline.hpp"

namespace ridgeline::judge {

/// The case's baseline is as `keep_baseline` left it, which may be none: its runner may have ended.
struct BaselineKept {
  /// The baseline's time now over the kept one; empty if the device was never idle, so that the baseline was
  /// not checked and stands.
  std::optional<double> drift;
};
/// The candidate computed although it was paused. Nothing that it slowed is kept.
struct CandidateRan {};
/// The device was never idle, and the case has no earlier baseline.
struct DeviceBusy {};
using BaselineOutcome = std::variant<BaselineKept, CandidateRan, DeviceBusy>;

/// Pauses `candidate` (its process; -1: none) and calls `keep_baseline` while the device is idle. Discards
/// what was measured beside other work of the device and tries again, three times at most; then an earlier
/// baseline stands. `check` as in `keep_baseline`.
BaselineOutcome measure_idle_baseline(PreparedTask& prepared, PreparedCase& prepared_case, pid_t candidate,
                                      const SamplingLimits& limits, bool check, BusyHostSlows slows);

}  // namespace ridgeline::judge
