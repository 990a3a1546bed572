// Defines the port through which a comparison reads the rooflines of a kernel.
#pragma once

#include <functional>
#include <vector>

#include "engine/compare/trajectory.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::compare {

/// Returns the rooflines of an outcome of the trajectory, from the store that holds both.
using RooflineReader =
    std::function<std::vector<Roofline>(const ComparedTrajectory&, const CandidateOutcome&)>;

}  // namespace ridgeline::compare
