// Which cases are timed, and the buffers that they are timed on. One thread.
#pragma once

#include <vector>

#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Those of `prepared`, in its order.
std::vector<PreparedCase*> timed_cases(PreparedTask& prepared, bool hidden_cases);

/// The case's timing arena, if it has none yet. Throws as the backend does where there is no memory for it.
void make_slots(PreparedTask& prepared, PreparedCase& one);

/// Has the buffers of all timed cases made and mapped, where that waits for whoever holds a device's driver:
/// for when nobody does. What cannot be mapped is told once it is timed.
void map_ahead(PreparedTask& prepared, RunnerProcess& runner, bool hidden_cases);

}  // namespace ridgeline::judge
