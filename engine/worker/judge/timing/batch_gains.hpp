// Corrects the times of calls that are faster in a batch on a GPU than alone: they overlap, or one call does
// the work of others.
#pragma once

#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/module_rounds.hpp"
#include "engine/worker/judge/timing/sampled_case.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// Tests whether the calls that `sampled` holds are faster together than alone:
/// - Queued calls may overlap (sampling/overlap.hpp). Then their samples are replaced by those of calls that
///   wait for one another, less device_wait, and `calls_overlap` is set. Calls of rounds wait anyway.
/// - A call may take longer by itself (timing/calls_apart.hpp). Then a kernel's samples are replaced by those
///   of such calls, less what may be too long of them, and `timed_alone` is set. A module is measured beside
///   its reference: if it takes longer in each way, by more than its reference does, `helped_by_others` is
///   set and the samples stay.
/// `rounds`: those in which a module was sampled; null for a kernel, which was sampled by itself.
/// Sets `sampled.confirmed.end` if the caller ends or a slot is wrong. Sets the evidence's dispute if calls
/// one by one are disputed twice. No-op on a CPU, and where sampling did not end well or is disputed already.
void correct_for_batch_gains(PreparedTask& prepared, const RunnerProcess& runner, RunnerCaller& caller,
                             TimedSlots& slots, const SamplingLimits& limits, ModuleRounds* rounds,
                             SampledCase& sampled);

}  // namespace ridgeline::judge
