// Computes what a budget buys: correctness and speed-up against the budget spent on each trajectory.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>

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

/// What a bootstrap drew: how often each task, and how many trajectories these have together.
struct Draw {
  std::vector<double> times;
  double trajectories = 0;
};

constexpr int curve_draws = 1000;

/// Draws whole tasks, each with its trajectories (`sizes`). None if there are no tasks.
std::vector<Draw> task_draws(const std::vector<double>& sizes) {
  if (sizes.empty()) return {};
  Random random(1);
  std::vector<Draw> draws(curve_draws, {std::vector<double>(sizes.size()), 0});
  for (auto& draw : draws)
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto task = random.below(sizes.size());
      ++draw.times[task];
      draw.trajectories += sizes[task];
    }
  return draws;
}

/// The 95 % interval of a mean over trajectories, of which each task has a sum.
Interval interval_over(const std::vector<Draw>& draws, const std::vector<double>& sums) {
  if (draws.empty()) return {0, 0};
  std::vector<double> means;
  for (const auto& draw : draws)
    means.push_back(std::inner_product(sums.begin(), sums.end(), draw.times.begin(), 0.0) /
                    draw.trajectories);
  std::sort(means.begin(), means.end());
  const auto at = [&](double share) { return means[static_cast<std::size_t>(share * (curve_draws - 1))]; };
  return {at(0.025), at(0.975)};
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
  // By task: a cluster of trajectories, whose sums every point has.
  std::map<std::string_view, std::size_t> tasks;
  for (const auto& cut : group.trajectories) tasks.emplace(cut.trajectory->task, 0);
  std::size_t count = 0;
  for (auto& [name, index] : tasks) index = count++;
  std::vector<double> sizes(tasks.size());
  for (const auto& cut : group.trajectories) ++sizes[tasks.at(cut.trajectory->task)];
  const auto draws = task_draws(sizes);
  std::vector<CurvePoint> curve;
  for (const double budget : budgets) {
    std::vector<double> kept, logarithms(tasks.size()), solved(tasks.size());
    int correct = 0;
    for (const auto& cut : group.trajectories) {
      const auto score = score_of(scored(*cut.trajectory, points_for(cut, budget, unit), scoring));
      const auto task = tasks.at(cut.trajectory->task);
      correct += score.solved;
      solved[task] += score.solved;
      kept.push_back(score.kept());
      logarithms[task] += std::log(score.kept());
    }
    const double all = static_cast<double>(std::max<std::size_t>(1, group.trajectories.size()));
    const auto speed = interval_over(draws, logarithms);
    curve.push_back({.budget = budget,
                     .correct = correct / all,
                     .speedup = kept.empty() ? 1.0 : geometric_mean(kept),
                     .correct_interval = interval_over(draws, solved),
                     .speedup_interval = {std::exp(speed.low), std::exp(speed.high)}});
  }
  return curve;
}

std::vector<UnitCurves> unit_curves_of(const std::vector<StrategyGroup>& groups, Unit first,
                                       Scoring scoring) {
  std::vector<UnitCurves> all;
  for (const auto& [unit, name] : enum_names(Unit{})) {
    const auto budgets = curve_budgets(groups, unit);
    if (unit != first && budgets.size() == 1) continue;  // nothing of it was spent
    UnitCurves curves{unit, {}};
    for (const auto& group : groups) curves.curves.push_back(curve_of(group, budgets, unit, scoring));
    all.insert(unit == first ? all.begin() : all.end(), std::move(curves));
  }
  return all;
}

}  // namespace ridgeline::compare
