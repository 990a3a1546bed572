// Output checks: comparisons of what timed calls wrote that cost a single run of the reference, so that many
// calls can be checked. One thread.
#pragma once

#include <span>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// Which elements of an output are checked: all, or 64 at random places. A call that left its work out is
/// wrong at any of them, and many calls can be checked in the time that one whole output takes.
enum class CheckedElements { all, sampled };

/// Returns how many calls are checked together, 1 to 32. A device is asked once for all of them, and their
/// inputs lie in memory side by side (512 MiB at most).
std::size_t calls_checked_together(const PreparedCase& prepared_case, const TimedCall& call);

/// Checks each call against one run of the reference in the task's own dtype. Returns true for a call whose
/// outputs lie within 1 % of each element and of the mean magnitude; integers must be equal. False decides
/// nothing: non-finite results, contracts that leave a choice, and real faults all need a full comparison.
std::vector<bool> pass_output_check(const PreparedTask& prepared, const PreparedCase& prepared_case,
                                    std::span<const TimedCall> calls, CheckedElements elements,
                                    Random& random);

}  // namespace ridgeline::judge
