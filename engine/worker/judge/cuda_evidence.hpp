// From batches of calls on a GPU to the time of one call. As batch_evidence.hpp, but that the CPU's clocks
// say nothing of the work: a window ends when the runner says that the device has finished, and what the
// judge then finds in the slots proves it.
#pragma once

#include "engine/worker/judge/batch_evidence.hpp"

namespace ridgeline::judge {

/// `overhead`: what a batch without calls takes at most, wall seconds, from before the candidate was loaded.
Evidence weigh_on_device(const std::vector<BatchPair>& pairs, double overhead);

}  // namespace ridgeline::judge
