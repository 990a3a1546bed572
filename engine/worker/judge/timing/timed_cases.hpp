// Which cases are timed, and the arenas that they are timed on. One thread.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Returns the cases of `prepared` that are timed, in its order: no final ones, and hidden ones only if
/// `hidden_cases`.
std::vector<PreparedCase*> timed_cases(PreparedTask& prepared, bool hidden_cases);

/// Returns how many timed calls of each case are compared in full (full_comparisons.hpp). A case that needs
/// streaming has no memory for an expectation, and random outputs have no output check.
std::vector<std::size_t> calls_compared_in_full(PreparedTask& prepared,
                                                const std::vector<PreparedCase*>& cases);

/// Makes the case's timing arena, or clears the one that it has. Call it before a runner maps that. Throws as
/// DeviceMemory::make_arena does if memory is short.
void make_timing_arena(PreparedTask& prepared, PreparedCase& prepared_case);

/// Makes the timing arenas of all timed cases and has `runner` map them, on backends where mapping waits for
/// other users of the device's driver. Call it while nobody uses the driver. An arena that cannot be mapped
/// is reported when its case is timed.
void map_timing_arenas_ahead(PreparedTask& prepared, RunnerProcess& runner, bool hidden_cases);

/// Frees what timed calls of the case took: the runner's memory and the slots, beside which no expectation
/// has room. Inputs of its instances can still be drawn.
void free_timing_memory(PreparedCase& prepared_case, RunnerProcess& runner, DeviceMemory& memory);

}  // namespace ridgeline::judge
