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
/// How much quicker it may be where a busy host slows it alone: what was kept is then of a slow moment.
inline constexpr double most_quicker = 1.03;

/// What a busy host slows: on a CPU both sides, and on a device both where an interpreter launches the
/// candidate's kernels as it does the reference's; a native candidate launches once or twice, and its eager
/// baseline often.
enum class BusyHostSlows { both, baseline_alone };

/// Whether one that now takes `drift` times as long as was kept of it is to be measured anew.
bool has_drifted(double drift, BusyHostSlows slows);
/// Whether what was measured anew takes the place of what was kept. Where a busy host slows it alone, only
/// what is quicker beyond doubt, by both intervals: else the least of many measurements would be kept.
bool replaces(const Duration& measured, const Duration& kept, BusyHostSlows slows);

/// Measures the case's baseline if it has none; else, if `look` or none has confirmed it yet, checks it with
/// a few samples, and measures it anew where it has drifted: by most_drift either way where both sides are
/// slowed alike; else only where it has become faster by most_quicker, and stays faster, or a busy host would
/// raise the speed-up. Returns the factor of drift against what was kept, 1 at first and
/// where nobody looked.
double keep_baseline(PreparedTask& prepared, PreparedCase& one, const SamplingLimits& limits, bool look,
                     BusyHostSlows slows);

Duration to_duration(std::vector<double> samples, bool converged);

}  // namespace ridgeline::judge
