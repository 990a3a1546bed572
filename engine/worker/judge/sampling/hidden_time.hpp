// Finds time that a runner hides from whole windows by replying before the work is done. Decisions without
// I/O.
#pragma once

#include <vector>

#include "engine/worker/judge/sampling/batch_evidence.hpp"

namespace ridgeline::judge {

/// Seconds a call for which the device was still at work after the replies to both batches, beyond its usual
/// answering time of `usually` seconds.
double time_after_replies(const BatchPair& pair, double usually);

/// Returns by how much slopes exceed whole windows. A reply that is early by the same time after both
/// batches of a pair makes their quotient smaller and leaves their slope unchanged. `ours` and `theirs` are
/// slope over quotient of each pair of the candidate and of its baseline, whose overhead may have been
/// overestimated for both alike. Returns 1 if the difference is small, or if there are too few pairs to
/// distinguish it from a busy host: the intervals of both medians must not overlap.
double hidden_time(const std::vector<double>& ours, const std::vector<double>& theirs);

}  // namespace ridgeline::judge
