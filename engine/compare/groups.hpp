// Groups trajectories by strategy, cut to the budget and scored: the data that all parts of a comparison
// start from.
#pragma once

#include <string>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// A trajectory cut to the budget. Its pointers lead into the trajectories that were grouped.
struct CutTrajectory {
  const ComparedTrajectory* trajectory = nullptr;
  std::size_t points = 0;                     ///< how many points lie within the budget
  const CandidateOutcome* outcome = nullptr;  ///< the scored outcome; null if no candidate was judged
};

/// The trajectories of one strategy.
struct StrategyGroup {
  std::string label;
  std::vector<CutTrajectory> trajectories;  ///< the scored trajectories
  std::vector<CutTrajectory> not_judged;    ///< finished, but without a judged candidate
  std::vector<const ComparedTrajectory*> incomplete;
};

/// Groups trajectories in the order of their first appearance, including strategies without a scored
/// trajectory. Labels name model and language only if there are several.
std::vector<StrategyGroup> group_trajectories(const std::vector<ComparedTrajectory>& trajectories,
                                              const BudgetLimits& limits, Scoring scoring);

/// Summarizes positive speed-ups; others are left out. The bootstrap's seed is fixed, so equal input gives
/// equal figures.
Speed speed_of(const std::vector<double>& speedups);

/// The number of flagged candidates within the cut.
int flagged_within(const CutTrajectory& cut);
/// The number of candidates within the cut that were not judged.
int not_judged_within(const CutTrajectory& cut);

// The parts of a comparison: per strategy, per round, per category, per task, and on the roofline.
StrategyRow summarize(const StrategyGroup& group);
std::vector<RoundRow> rounds_of(const std::vector<StrategyGroup>& groups, Scoring scoring);
std::vector<std::string> categories_of(const std::vector<StrategyGroup>& groups);
std::vector<Cell> cells_of(const StrategyGroup& group, const std::vector<std::string>& categories);
std::vector<TaskRow> tasks_of(const std::vector<StrategyGroup>& groups);
std::vector<RooflinePoint> rooflines_of(const std::vector<StrategyGroup>& groups);

/// Returns the budgets of a curve, from 0 to the largest that a trajectory used within its cut: every whole
/// number up to 60, otherwise (and for money) 60 equal steps. Ascending, never empty.
std::vector<double> curve_budgets(const std::vector<StrategyGroup>& groups, Unit unit);
/// Computes a strategy's curve over `budgets`.
std::vector<CurvePoint> curve_of(const StrategyGroup& group, const std::vector<double>& budgets, Unit unit,
                                 Scoring scoring);

}  // namespace ridgeline::compare
