// What a candidate is compared with: eager LibTorch under the very conditions of a candidate, the same slots,
// flushed, fresh inputs, one thread. Measured once and looked at again; of modules in turns with each
// candidate (turns.hpp).
#pragma once

#include <string_view>

#include "engine/core/timing.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// How far a baseline may be from what was kept of it.
inline constexpr double most_drift = 1.15;

/// What a busy host slows: on a CPU both sides, and on a device both where an interpreter launches the
/// candidate's kernels as it does the reference's; a native candidate launches once or twice, and its eager
/// baseline often.
enum class BusyHostSlows { both, baseline_alone };

/// Measures the case's baseline if it has none; else, if `look` or none has confirmed it yet, checks it with
/// a few samples, and measures it anew where it has drifted: either way where both sides are slowed alike;
/// else only where it has become faster, or a busy host would raise the speed-up. Returns the factor of drift
/// against what was kept, 1 at first and where nobody looked.
double keep_baseline(PreparedTask& prepared, PreparedCase& one, const SamplingLimits& limits, bool look,
                     BusyHostSlows slows);

Duration to_duration(std::vector<double> samples, bool converged);

}  // namespace ridgeline::judge
