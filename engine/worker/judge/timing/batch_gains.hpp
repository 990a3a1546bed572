// Corrects the times of calls that are faster in a batch on a GPU than alone: they overlap, or one call does
// the work of others.
#pragma once

#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/sampled_case.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// Says how the calls that were sampled had been ordered.
enum class SampledBy {
  itself,  ///< a kernel by itself, its calls queued
  rounds   ///< a module beside its baseline, its calls one by one (module_rounds.hpp)
};

/// Tests whether the calls that `sampled` holds are faster together than alone:
/// - Queued calls may overlap (sampling/overlap.hpp). Then their samples are replaced by those of calls that
///   wait for one another, less device_wait, and `calls_overlap` is set. Calls of rounds wait anyway.
/// - A call may take longer alone (sampling/lone_calls.hpp). Then a kernel's samples are replaced by those of
///   lone calls, less lone_call_allowance, and `timed_alone` is set. For rounds, `helped_by_others` is set
///   and the samples stay.
/// Sets `sampled.confirmed.end` if the caller ends or a slot is wrong. Sets the evidence's dispute if calls
/// one by one are disputed twice. No-op on a CPU, and where sampling did not end well or is disputed already.
void correct_for_batch_gains(PreparedTask& prepared, const RunnerProcess& runner, RunnerCaller& caller,
                             TimedSlots& slots, const SamplingLimits& limits, SampledBy by,
                             SampledCase& sampled);

}  // namespace ridgeline::judge
