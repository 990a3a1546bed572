// Where each timed case stands on the roofline, once the verdict is out: analytic counts over the cold time,
// and hardware counters beside them where this machine lets them be read. They advise, they never prove. On a
// GPU: device_profile.hpp.
#pragma once

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Fills `verdict`'s profile stage and rooflines from its timing. The runner is only called where counters
/// can be read, on fresh inputs; null or ended: no counters. One thread.
void profile(PreparedTask& prepared, RunnerProcess* runner, const Ceilings& ceilings, Verdict& verdict);

/// The dtype whose peak the task is held against: that of its first input.
DType compute_dtype(const Task& task);

}  // namespace ridgeline::judge
