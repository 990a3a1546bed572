// The kept baseline (baseline.hpp), measured and looked at where nobody slows it: the candidate is stopped,
// and the device has nothing to do that the candidate has left there.
#pragma once

#include <sys/types.h>

#include <optional>
#include <variant>

#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/baseline.hpp"

namespace ridgeline::judge {

/// The case has a baseline, as `keep_baseline` says, or has none for a reason of its own. `drift`: its; empty
/// where the device was never idle, so that the one from before stands as it was.
struct BaselineKept {
  std::optional<double> drift;
};
/// The candidate computed although it was stopped. What it slowed is not kept.
struct CandidateRan {};
/// The device was never idle, and there is no baseline from before.
struct DeviceBusy {};
using QuietLook = std::variant<BaselineKept, CandidateRan, DeviceBusy>;

/// Nothing is kept of what was measured beside other work of the device: it is tried again, some times, and
/// then what was kept before stands, if anything was. `candidate`: its process, -1 for none.
QuietLook keep_in_quiet(PreparedTask& prepared, PreparedCase& one, pid_t candidate,
                        const SamplingLimits& limits, bool look, BusyHostSlows slows);

}  // namespace ridgeline::judge
