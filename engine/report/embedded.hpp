// Chooses the trajectories that a report carries within itself, and renders them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/compare/compare.hpp"
#include "engine/report/report.hpp"

namespace ridgeline::report {

/// Trajectories within the file.
struct Embedded {
  std::string html;              ///< a folded part each
  std::set<std::size_t> chosen;  ///< indices in Comparison::trajectories
  std::size_t left_out = 0;      ///< how many more there are
};

/// The id of a trajectory's part.
std::string trajectory_id(const compare::TrajectoryResult& result);

/// Renders trajectories until `most_bytes` are reached: first the best of each task, then the best of each
/// other strategy on it, then the others in the same order.
Embedded embed_trajectories(const compare::Comparison& comparison, const std::vector<Source>& sources,
                            std::size_t most_bytes);

}  // namespace ridgeline::report
