// The pieces that the parts of a comparison share: walks by strategy, cut and scored.
#pragma once

#include <string>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// A walk cut to the budget. Pointers reach into the walks that were grouped.
struct CutWalk {
  const Walk* walk = nullptr;
  std::size_t points = 0;
  const Outcome* outcome = nullptr;  ///< the scored one; null if no candidate was judged
};

struct Group {
  std::string label;
  std::vector<CutWalk> walks;       ///< that are scored
  std::vector<CutWalk> not_judged;  ///< finished, but none of their candidates was judged
  std::vector<const Walk*> incomplete;
};

/// In order of first appearance, strategies without a walk to score too. Labels name model and language only
/// where the walks hold several.
std::vector<Group> group_walks(const std::vector<Walk>& walks, const Limits& limits, Scoring scoring);

/// Of positive values; the bootstrap's seed is fixed, so equal input gives equal figures.
Speed speed_of(const std::vector<double>& speedups);

/// Flagged candidates of the cut walk.
int flagged_within(const CutWalk& cut);
/// Those that were not judged.
int not_judged_within(const CutWalk& cut);

StrategyRow summarize(const Group& group);
std::vector<RoundRow> rounds_of(const std::vector<Group>& groups, Scoring scoring);
std::vector<std::string> categories_of(const std::vector<Group>& groups);
std::vector<Cell> cells_of(const Group& group, const std::vector<std::string>& categories);
std::vector<TaskRow> tasks_of(const std::vector<Group>& groups);
std::vector<RooflinePoint> rooflines_of(const std::vector<Group>& groups);

/// Budgets from none to the largest that a walk used within its cut: every whole number up to 60 steps, 60
/// equal steps beyond or for money. Ascending, not empty.
std::vector<double> curve_budgets(const std::vector<Group>& groups, Unit unit);
std::vector<CurvePoint> curve_of(const Group& group, const std::vector<double>& budgets, Unit unit,
                                 Scoring scoring);

}  // namespace ridgeline::compare
