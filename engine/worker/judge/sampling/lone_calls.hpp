// Finds out whether calls of a batch gain by each other's company. All inputs of a batch lie in their slots
// when its window opens, so its first call may do the work of the others beside its own, where one call does
// not fill the device; each output is right, and slopes are too small. A call whose slot alone is filled has
// nothing else to work at.
//
// The ports are those of `sample`.
#pragma once

#include <vector>

#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

/// Seconds by which a window of one call may be longer than an empty one and a call in a batch together: the
/// first call after a fill meets cold tables of addresses and a device that waits. What honest kernels of 34
/// tasks paid so on an H100 stands in docs/decisions/calls-one-by-one.md.
inline constexpr double lone_call_allowance = 150e-6;

/// Whether a call of `in_batch` seconds was helped by others, if calls alone take `alone` seconds at least:
/// a tenth and the allowance more. So what others can help with is at most a factor of 1.1 where a call takes
/// milliseconds, and is not seen where it takes less than the allowance.
bool helped_by_others(double in_batch, double alone);

/// Windows of single calls.
struct LoneCalls {
  SamplingEnd end = SamplingEnd::enough;  ///< as of `sample`; `capped` is not used
  std::vector<double> seconds;            ///< of each window, less what an empty one takes
  /// The least: whatever disturbs a window makes it longer.
  double least() const;
};

/// Takes windows of one call each, with no slot filled but its own: five, or two if the first takes more than
/// limits.elapsed_seconds. `overhead`: of the caller's empty windows.
LoneCalls sample_lone_calls(BatchCaller& caller, SlotKeeper& keeper, const SamplingLimits& limits,
                            const Overhead& overhead);

}  // namespace ridgeline::judge
