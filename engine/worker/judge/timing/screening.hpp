// A cheap look at timed calls' outputs, so that many can be looked at.
#pragma once

#include <span>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// Which elements are looked at: all, or some at random places. A call that left its work out is seen at any
/// of them, and many calls can be looked at in the time that one whole output takes.
enum class Look { all, some };

/// So many calls are looked at together: a device is asked once for all of them, and their inputs lie in
/// memory side by side.
std::size_t calls_together(const PreparedCase& one, const TimedCall& call);

/// Of each call: true if its outputs lie near one run of the reference in the task's own dtype, within 1 % of
/// each element and of the mean magnitude; equal for integers. False says nothing yet: non-finite results,
/// contracts that leave a choice, and real faults all ask for the full comparison.
std::vector<bool> plainly_right(const PreparedTask& prepared, const PreparedCase& one,
                                std::span<const TimedCall> calls, Look look, Random& random);

}  // namespace ridgeline::judge
