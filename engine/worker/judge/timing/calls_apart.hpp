// Times calls of which none can do the work of others: with sealed inputs, or alone.
#pragma once

#include <optional>
#include <vector>

#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// A runner whose calls were timed in usual batches: a candidate's, or that of a module's reference.
struct TimedSide {
  const RunnerProcess& runner;
  RunnerCaller& caller;
  TimedSlots& slots;
  double in_batch;  ///< seconds a call there
  bool is_module;   ///< its launches take longer than its kernels, maybe
};

/// How calls are kept apart.
enum class Apart {
  sealed_emptied,  ///< inputs are sealed until the call before is over, and the L2 is emptied before each
  sealed_kept,     ///< the same, and opened inputs stay in the L2 (sampling/sealed_timing.hpp)
  alone            ///< one call a window (sampling/lone_calls.hpp)
};

/// Returns the ways that say something about these calls: both sealed ones, for a module the first alone.
/// Calls cannot be sealed if the runner has no sealed costs, the side has fewer than 4 slots, or `in_batch`
/// is 0 or above longest_sealed_call. Then it returns windows of one call. `reference`: a module's, which
/// will be measured in the same ways and must allow for them; null for a kernel.
std::vector<Apart> ways_to_call_apart(const TimedSide& side, const TimedSide* reference);

struct CallsApart {
  std::vector<double> seconds;  ///< seconds per call, one entry per window, overhead subtracted
  double allowance = 0;         ///< seconds by which these may be too long
  bool helped = false;          ///< the least says that calls of a usual batch were helped
  double least() const;
};

/// Takes windows of calls that are kept apart. `way` must be one of ways_to_call_apart(side), or `alone`.
/// `limits` serves windows of one call only: fewer are taken if one is longer than limits.elapsed_seconds.
/// Returns empty, with `end` set, if the runner ended or a slot was wrong. Remembers calls with sealed inputs
/// (TimedSlots::sealed_samples).
std::optional<CallsApart> time_apart(const TimedSide& side, Apart way, const SamplingLimits& limits,
                                     SamplingEnd& end);

}  // namespace ridgeline::judge
