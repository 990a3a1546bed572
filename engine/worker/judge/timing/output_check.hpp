// Output checks: comparisons of what timed calls wrote that cost a single run of the reference, so that many
// calls can be checked. One thread.
#pragma once

#include <span>
#include <vector>

#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// Returns how many calls are checked together, 1 to 32. A device is asked once for all of them, and their
/// inputs lie in memory side by side (512 MiB at most).
std::size_t calls_checked_together(const PreparedCase& prepared_case, const TimedCall& call);

/// Checks every element of each call's outputs against one run of the reference in the task's own dtype.
/// Returns true for a call that is right: within the bounds that the case's standard set gave
/// (verifier/error_bounds.hpp), which are the contract's tolerances, widened by what the reference itself may
/// err; integers and exact outputs equal. False decides nothing: non-finite results, tolerances that differ
/// from draw to draw, contracts that compare distributions, and real faults all need a full comparison.
std::vector<bool> pass_output_check(const PreparedTask& prepared, const PreparedCase& prepared_case,
                                    std::span<const TimedCall> calls);

}  // namespace ridgeline::judge
