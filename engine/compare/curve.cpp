// Computes what a budget buys: correctness and speed-up against the budget spent on each trajectory.
#include <algorithm>
#include <cmath>

#include "engine/compare/groups.hpp"
#include "engine/compare/score.hpp"

namespace ridgeline::compare {
namespace {

constexpr int most_steps = 60;  // of a curve; more would not be seen

double spent(const TrajectoryPoint& point, Unit unit) {
  switch (unit) {
    case Unit::calls:
      return point.calls;
    case Unit::tokens:
      return static_cast<double>(point.tokens);
    case Unit::usd:
      return point.usd;
    case Unit::evaluations:
      return point.evaluations;
    case Unit::wall_seconds:
      return point.wall_seconds;
    case Unit::gpu_seconds:
      return point.gpu_seconds;
  }
  return 0;
}

std::size_t points_for(const CutTrajectory& cut, double budget, Unit unit) {
  std::size_t count = 0;
  while (count < cut.points && spent(cut.trajectory->points[count], unit) <= budget) ++count;
  return count;
}

}  // namespace

std::vector<double> curve_budgets(const std::vector<StrategyGroup>& groups, Unit unit) {
  double most = 0;
  for (const auto& group : groups)
    for (const auto& cut : group.trajectories)
      if (cut.points > 0) most = std::max(most, spent(cut.trajectory->points[cut.points - 1], unit));
  if (most <= 0) return {0};
  const bool counted = unit == Unit::calls || unit == Unit::tokens || unit == Unit::evaluations;
  const bool whole = counted && most <= most_steps;
  const int steps = whole ? static_cast<int>(most) : most_steps;
  std::vector<double> budgets;
  // The last budget is `most` itself: i / steps * most may round below it and lose the last call.
  for (int i = 0; i < steps; ++i) budgets.push_back(whole ? i : most * i / steps);
  budgets.push_back(most);
  return budgets;
}

std::vector<CurvePoint> curve_of(const StrategyGroup& group, const std::vector<double>& budgets, Unit unit,
                                 Scoring scoring) {
  std::vector<CurvePoint> curve;
  for (const double budget : budgets) {
    std::vector<double> kept;
    int correct = 0;
    for (const auto& cut : group.trajectories) {
      const auto score = score_of(scored(*cut.trajectory, points_for(cut, budget, unit), scoring));
      correct += score.solved;
      kept.push_back(score.kept());
    }
    const double all = static_cast<double>(std::max<std::size_t>(1, group.trajectories.size()));
    curve.push_back({budget, correct / all, kept.empty() ? 1.0 : geometric_mean(kept)});
  }
  return curve;
}

}  // namespace ridgeline::compare
