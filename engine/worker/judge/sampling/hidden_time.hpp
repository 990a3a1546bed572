// Time that a runner hides from whole windows, by replies that come before the work is done. Decisions
// without I/O.
#pragma once

#include <vector>

#include "engine/worker/judge/sampling/batch_evidence.hpp"

namespace ridgeline::judge {

/// Seconds a call that a device was still at work after the replies to both batches, beyond what it `usually`
/// takes to answer.
double late(const BatchPair& pair, double usually);

/// A reply that is early by as much after both batches of a pair makes their quotient shorter, and their
/// difference, the slope, no smaller: by how much slopes exceed whole windows. `ours` and `theirs`: slope
/// over quotient, of each pair of the candidate and of its baseline, whose overhead may have been
/// overestimated for both alike. 1 where it is little, or where there are too few pairs to tell it from what
/// a busy host does: the intervals of both medians must be apart.
double hidden_time(const std::vector<double>& ours, const std::vector<double>& theirs);

}  // namespace ridgeline::judge
