// Groups trajectories by strategy, cut to the budget and scored: the data that all parts of a comparison
// start from.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// A trajectory cut to the budget. Its pointers lead into the trajectories that were grouped.
struct CutTrajectory {
  const ComparedTrajectory* trajectory = nullptr;
  std::size_t points = 0;  ///< how many of its points lie within the budget: the first ones
  const CandidateOutcome* outcome = nullptr;  ///< of the scored kernel; null if no candidate was judged
};

/// The trajectories of one strategy.
struct StrategyGroup {
  std::string label;
  RowIdentity identity;
  /// The finished ones, without `not_judged`. They are in all denominators, also without any candidate.
  std::vector<CutTrajectory> trajectories;
  /// The other finished ones: they had candidates, and none could be judged. They are in no denominator.
  std::vector<CutTrajectory> not_judged;
  /// The parts by which trajectories were not grouped and in which some of them differ; never `campaign`.
  std::set<Part> pooled;
  std::vector<const ComparedTrajectory*> incomplete;  ///< begun and not finished; in no denominator
};

/// Returns one group for all trajectories that are equal in `parts`, in the order in which these first
/// appear. A strategy of which no trajectory is scored has a group too. Labels are empty until
/// `label_groups`.
std::vector<StrategyGroup> group_trajectories(const std::vector<ComparedTrajectory>& trajectories,
                                              const BudgetLimits& limits, Scoring scoring,
                                              const std::vector<Part>& parts);
/// Labels the groups, and returns in which settings they differ.
std::vector<SettingDifference> label_groups(std::vector<StrategyGroup>& groups);

/// The number of flagged candidates (correct ones, scored or not) within the cut.
int flagged_within(const CutTrajectory& cut);
/// The number of candidates within the cut that were not judged.
int not_judged_within(const CutTrajectory& cut);

// The parts of a comparison. Denominators are StrategyGroup::trajectories throughout; what was spent includes
// `not_judged`.
/// Returns the figures of one strategy.
StrategyRow summarize(const StrategyGroup& group);
/// Returns a row for each round of each strategy, from round 0 to the last within the cut.
std::vector<RoundRow> rounds_of(const std::vector<StrategyGroup>& groups, Scoring scoring);
/// Returns the categories of all finished trajectories, each once, by name.
std::vector<std::string> categories_of(const std::vector<StrategyGroup>& groups);
/// Returns one strategy's cell for each of `categories`, in their order.
std::vector<Cell> cells_of(const StrategyGroup& group, const std::vector<std::string>& categories);
/// Returns all scored trajectories as trials. Tasks and categories are numbered by name.
std::vector<SolvedTrial> trials_of(const std::vector<StrategyGroup>& groups);
/// Returns a row for each task that has a finished trajectory, judged or not, by name.
std::vector<TaskRow> tasks_of(const std::vector<StrategyGroup>& groups,
                              const std::vector<NoiseFloor>& floors);
/// Returns all trajectories in brief: of each group those scored, those not judged, those incomplete.
std::vector<TrajectoryResult> trajectories_of(const std::vector<StrategyGroup>& groups);
/// Returns the timed cases of scored, correct kernels.
std::vector<RooflinePoint> rooflines_of(const std::vector<StrategyGroup>& groups,
                                        const RooflineReader& reader);

/// Returns the budgets of a curve, from 0 to the largest that a scored trajectory used within its cut: every
/// whole number if that is at most 60; otherwise, and for money and seconds, the 61 ends of 60 equal steps.
/// Ascending; {0} if nothing was used.
std::vector<double> curve_budgets(const std::vector<StrategyGroup>& groups, Unit unit);
/// Returns the curves of all strategies against each budget that was spent, `first` at the front.
std::vector<UnitCurves> unit_curves_of(const std::vector<StrategyGroup>& groups, Unit first, Scoring scoring);

}  // namespace ridgeline::compare
