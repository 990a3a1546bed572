// Times a candidate's calls one after the other where they overlap if they are queued. For calls on a GPU
// that are timed by themselves; the rounds of a module (module_rounds.hpp) keep all calls apart.
#pragma once

#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/sampled_case.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// Looks whether the calls that `sampled` holds overlap. If they do, replaces their samples by those of calls
/// that wait for one another, and says so in `sampled`. Sets `sampled.confirmed.end` if the caller ends or a
/// slot is wrong. No-op on a CPU, and where sampling did not end well or the clocks are disputed.
void time_overlapping_calls(PreparedTask& prepared, const RunnerProcess& runner, RunnerCaller& caller,
                            TimedSlots& slots, const SamplingLimits& limits, SampledCase& sampled);

}  // namespace ridgeline::judge
