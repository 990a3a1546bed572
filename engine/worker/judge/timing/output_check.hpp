// Output checks compare the copied outputs of timed calls with one run of the reference for each call. That
// is cheap enough for many calls. One thread.
#pragma once

#include <span>
#include <vector>

#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// Returns how many calls pass_output_check checks at once: 1 on a CPU. On a device it is 1 to 32, as many as
/// have 512 MiB of arguments together, since the device is then asked once for all. For planning how many
/// calls to check: pass_output_check takes any number and splits them by itself. `call` is any of them. The
/// case's timing arena must exist.
std::size_t calls_checked_together(const PreparedCase& prepared_case, const TimedCall& call);

/// Checks every element of each call's copied outputs against one run of the reference in the task's own
/// dtype; of an output with a count, the rows that the reference counts. The case's timing arena must exist:
/// it draws the calls' inputs again, into new memory, and its slots stay.
///
/// Returns, in the order of `calls`, true for a call within the bounds that the case's standard set gave:
/// they are the contract's tolerances, widened by what the reference itself may err. Every element must be
/// within the wide bound `all`, and 19 of 20 within the narrow bound `most`: fewer if the task is quantized,
/// and one element may always exceed `most` (verifier/error_bounds.hpp). Integers and exact outputs must be
/// equal. Such a call counts as right. False decides nothing: non-finite results, tolerances that differ from
/// draw to draw, and real faults all need a full comparison. All are false where the case has no bounds, as
/// for contracts that compare distributions. Throws what the reference throws.
std::vector<bool> pass_output_check(const PreparedTask& prepared, const PreparedCase& prepared_case,
                                    std::span<const TimedCall> calls);

}  // namespace ridgeline::judge
