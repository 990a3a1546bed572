// How much of what was solved depends on the category of a task, and how much on the strategy:
// KernelBench-X's question whether a better method or an easier task decides.
//
// A logistic regression "solved ~ category + strategy" over all scored trajectories (McCullagh & Nelder,
// "Generalized linear models", 2nd ed., 1989). What a factor explains is the drop of the deviance when it is
// added to a model that has the other (type II). Deviances are those of single trajectories, so D0 depends on
// the share solved alone. A ridge of 1e-6 keeps the fit finite where a category or a strategy solved all or
// nothing.
//
// Pure; random draws have fixed seeds, so equal input gives equal figures on every machine.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "engine/core/statistics.hpp"

namespace ridgeline::compare {

/// How often tasks are drawn anew for intervals, and how many random permutations a test tries.
inline constexpr int attribution_resamples = 999;

/// A scored trajectory.
struct SolvedTrial {
  std::size_t task = 0;  ///< trajectories of one task are no independent samples
  std::size_t category = 0;
  std::size_t strategy = 0;
  bool solved = false;
};

/// What one of the two factors explains.
struct FactorEffect {
  double drop = 0;          ///< of the deviance, beside the other factor
  int degrees = 0;          ///< of freedom: its levels without one
  double share = 0;         ///< drop / D0
  Interval share_interval;  ///< 95 %, percentile bootstrap over tasks; not corrected for chance
  double adjusted = 0;      ///< (drop - degrees) / D0: chance alone explains a degree's worth each
  double per_degree = 0;    ///< drop / degrees; 1 on average by chance alone
  double share_alone = 0;   ///< of D0, without the other factor in the model
  /// How often the drop is as large if categories are dealt out to tasks by chance, or the trajectories of
  /// each task to strategies. Never below 1 / (attribution_resamples + 1).
  double p = 1;
};

struct Attribution {
  int trials = 0, solved = 0, tasks = 0;
  double null_deviance = 0;  ///< D0: of a model with one share for all
  FactorEffect category, strategy;
};

/// Returns nothing where there is nothing to attribute: fewer than two categories or strategies have a trial,
/// or all trials are solved, or none is.
std::optional<Attribution> attribute(std::span<const SolvedTrial> trials);

}  // namespace ridgeline::compare
