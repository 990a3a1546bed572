// The profile stage on a CPU: places each timed case on the roofline, by analytic counts over the cold time,
// with hardware counters beside them if this machine lets them be read. They advise and change no verdict. On
// a GPU: device_profile.hpp. One thread.
#pragma once

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Fills `verdict`'s profile stage and rooflines from its timing. Calls the runner, on fresh inputs, only if
/// counters can be read; a runner that is null or has ended gives no counters. No-op without a timing.
void profile(PreparedTask& prepared, RunnerProcess* runner, const Ceilings& ceilings, Verdict& verdict);

/// Returns the dtype whose peak the task is compared with: that of its first input.
DType compute_dtype(const Task& task);

}  // namespace ridgeline::judge
