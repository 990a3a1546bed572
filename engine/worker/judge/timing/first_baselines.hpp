// Measures a task's baselines before a candidate is loaded. So the candidate cannot slow what it is compared
// with: heat, taken memory and work that it leaves on the device come after. The judge calls this before each
// timed request; after a task's first one mostly nothing is lacking. One thread.
#pragma once

#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Returns whether `measure_first_baselines` has anything to measure. `hidden_cases`: hidden cases are timed
/// too (timed_cases.hpp).
bool lacks_first_baselines(PreparedTask& prepared, bool hidden_cases);

/// Measures the baseline of each timed case that keeps none. `cap_seconds` limits the timed windows of an
/// attempt; a case may take several. Leaves out what the timing stage must measure itself: modules, which are
/// timed in rounds against their reference; and cases whose buffers must be streamed. On a CPU it measures
/// none: the number of slots follows from expectations that are not drawn yet, and the timing stage can stop
/// the candidate there. A case that could not be measured undisturbed stays without baseline, and the timing
/// stage tries again. Throws what the verifier and the backend throw. Nothing else should run meanwhile.
void measure_first_baselines(PreparedTask& prepared, bool hidden_cases, double cap_seconds);

}  // namespace ridgeline::judge
