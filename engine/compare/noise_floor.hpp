// The noise floor of a machine: by how much two evaluations of one kernel differ (A against A).
//
// Measured from what was evaluated more than once: a kernel that a model wrote twice, or a recording that was
// judged again into another store. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/compare/trajectory.hpp"

namespace ridgeline::compare {

/// What repeats on one device say.
struct NoiseFloor {
  std::string device;
  int kernels = 0;  ///< that were evaluated more than once
  int repeats = 0;  ///< evaluations of them beyond the first
  /// The 95 % quantile, over repeats, of the ratio of a kernel's speed-up to the one that was measured
  /// before, the larger over the smaller: 1 and more. A gain inside it is not a gain.
  double ratio = 1;
};

/// Returns a floor for each device on which a kernel was timed more than once, by name. Flagged kernels are
/// left out, since their times deserve doubt. An evaluation that is there twice, in a store and in a copy of
/// it, is no repeat.
std::vector<NoiseFloor> noise_floors(const std::vector<ComparedTrajectory>& trajectories);

/// Returns the floor of the device; nullptr if it is not known.
const NoiseFloor* floor_of(const std::vector<NoiseFloor>& floors, const std::string& device);

/// Describes them in a sentence; says so if none is known.
std::string describe(const std::vector<NoiseFloor>& floors);

}  // namespace ridgeline::compare
