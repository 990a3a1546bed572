// Finds trajectories that were handed in more than once, which would count as further samples and narrow
// every interval: one store named twice, a store and a copy of it, or one recording judged into two stores.
#pragma once

#include <vector>

#include "engine/compare/trajectory.hpp"

namespace ridgeline::compare {

/// Removes all but one of the trajectories with the same origin, and of those with the same identity whose
/// candidates are the same one by one: these are the same answers, judged again. Of the latter it keeps one
/// on either side of a change (ComparedTrajectory::side). Keeps a finished one before others, then the one
/// with the most points, then the first. Returns how many it removed.
int remove_given_twice(std::vector<ComparedTrajectory>& trajectories);

}  // namespace ridgeline::compare
