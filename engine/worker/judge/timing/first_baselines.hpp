// Measures the baselines of a task that has none yet, before its first candidate is loaded. Whatever that
// candidate does, it cannot slow what it is compared with: heat, taken memory and work that it leaves on the
// device come after. The judge calls it for each timed request, before that request's candidate is loaded.
// One thread.
#pragma once

#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Returns whether `measure_first_baselines` has anything to measure. `hidden_cases`: hidden cases are timed
/// too (timed_cases.hpp).
bool lacks_first_baselines(PreparedTask& prepared, bool hidden_cases);

/// Measures the baseline of each timed case that keeps none. `cap_seconds` limits the timed windows of an
/// attempt; a case may take several. Leaves out what the timing stage must measure itself: modules, which are
/// timed in rounds against their reference; cases whose buffers must be streamed; and on a CPU all cases,
/// where the number of slots follows from expectations that are not drawn yet and a stopped candidate uses
/// nothing. A case that could not be measured undisturbed stays without baseline, and the timing stage tries
/// again. Throws what the verifier and the backend throw. Nothing else should run meanwhile.
void measure_first_baselines(PreparedTask& prepared, bool hidden_cases, double cap_seconds);

}  // namespace ridgeline::judge
