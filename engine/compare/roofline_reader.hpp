// Where a comparison gets the rooflines of a kernel from.
#pragma once

#include <functional>
#include <vector>

#include "engine/compare/trajectory.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::compare {

/// Reads the rooflines of the outcome of a trajectory from its store.
using RooflineReader =
    std::function<std::vector<Roofline>(const ComparedTrajectory&, const CandidateOutcome&)>;

}  // namespace ridgeline::compare
