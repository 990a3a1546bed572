// The baseline that a candidate is compared with: eager LibTorch under a candidate's conditions (the same
// slots, flushed, fresh inputs, one thread). It is measured once, kept over candidates and checked now and
// then. Modules measure it anew with each candidate, in interleaved A/B rounds (module_rounds.hpp). One
// thread.
#pragma once

#include <string_view>

#include "engine/core/timing.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/case_baseline.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Measures the case's baseline if it has none. Else checks it with a few samples if `check` is set or no
/// check has confirmed it yet, and measures it anew if it has drifted. If a busy host slows the baseline
/// alone, that is so only for one that became faster and stays faster, or a busy host would raise speed-ups.
/// Returns the baseline's time now over the kept one; 1 if it was not checked. Leaves the case without a
/// baseline if its runner has ended. Throws BadInput if the reference cannot be run.
double keep_baseline(PreparedTask& prepared, PreparedCase& prepared_case, const SamplingLimits& limits,
                     bool check, BusyHostSlows slows);

/// Summarizes samples: median, its interval, and the samples. `converged`: enough of them were taken.
Duration to_duration(std::vector<double> samples, bool converged);

}  // namespace ridgeline::judge
