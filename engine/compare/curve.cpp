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

constexpr int curve_draws = 1000;

/// The bootstrap of one strategy's curves. It draws whole tasks, each with all its trajectories, and the same
/// tasks for every point.
class CurveBootstrap {
 public:
  explicit CurveBootstrap(const StrategyGroup& group) {
    std::map<std::string_view, std::size_t> tasks;
    for (const auto& cut : group.trajectories) {
      const auto [known, added] = tasks.emplace(cut.trajectory->task, sizes_.size());
      if (added) sizes_.push_back(0);
      ++sizes_[known->second];
      task_of_.push_back(known->second);
    }
    if (sizes_.empty()) return;
    Random random(1);
    draws_.resize(curve_draws, {std::vector<double>(sizes_.size()), 0});
    for (auto& draw : draws_)
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        const auto task = random.below(sizes_.size());
        ++draw.times[task];
        draw.trajectories += sizes_[task];
      }
  }

  /// Sums a value of each trajectory by task.
  template <class ValueOf>
  std::vector<double> sums(ValueOf value_of) const {
    std::vector<double> sums(sizes_.size());
    for (std::size_t i = 0; i < task_of_.size(); ++i) sums[task_of_[i]] += value_of(i);
    return sums;
  }

  /// The 95 % interval of the mean over trajectories. Points that brought nothing new, and budgets of two
  /// units that let through the same, have the same sums: these are computed once.
  Interval interval(const std::vector<double>& sums) {
    if (draws_.empty()) return {0, 0};
    const auto [known, unknown] = known_.try_emplace(sums);
    if (!unknown) return known->second;
    std::vector<double> means;
    for (const auto& draw : draws_)
      means.push_back(std::inner_product(sums.begin(), sums.end(), draw.times.begin(), 0.0) /
                      draw.trajectories);
    const auto at = [&](double share) {
      const auto place = means.begin() + static_cast<std::ptrdiff_t>(share * (curve_draws - 1));
      std::nth_element(means.begin(), place, means.end());
      return *place;
    };
    return known->second = {at(0.025), at(0.975)};
  }

 private:
  struct Draw {
    std::vector<double> times;  // how often each task was drawn
    double trajectories = 0;    // of these together
  };
  std::vector<double> sizes_;         // of each task, in trajectories
  std::vector<std::size_t> task_of_;  // of each trajectory
  std::vector<Draw> draws_;
  std::map<std::vector<double>, Interval> known_;
};

std::size_t points_for(const CutTrajectory& cut, double budget, Unit unit) {
  std::size_t count = 0;
  while (count < cut.points && spent(cut.trajectory->points[count], unit) <= budget) ++count;
  return count;
}

/// A strategy's curve: one point for each of `budgets`, which are in `unit`.
std::vector<CurvePoint> curve_of(const StrategyGroup& group, const std::vector<double>& budgets, Unit unit,
                                 Scoring scoring, CurveBootstrap& bootstrap) {
  std::vector<CurvePoint> curve;
  for (const double budget : budgets) {
    std::vector<double> kept;
    std::vector<Score> scores;
    int correct = 0;
    for (const auto& cut : group.trajectories) {
      scores.push_back(score_of(scored(*cut.trajectory, points_for(cut, budget, unit), scoring)));
      correct += scores.back().solved;
      kept.push_back(scores.back().kept());
    }
    const double all = static_cast<double>(std::max<std::size_t>(1, group.trajectories.size()));
    const auto speed =
        bootstrap.interval(bootstrap.sums([&](std::size_t i) { return std::log(scores[i].kept()); }));
    curve.push_back({.budget = budget,
                     .correct = correct / all,
                     .speedup = kept.empty() ? 1.0 : geometric_mean(kept),
                     .correct_interval = bootstrap.interval(
                         bootstrap.sums([&](std::size_t i) { return scores[i].solved ? 1.0 : 0.0; })),
                     .speedup_interval = {std::exp(speed.low), std::exp(speed.high)}});
  }
  return curve;
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

std::vector<UnitCurves> unit_curves_of(const std::vector<StrategyGroup>& groups, Unit first,
                                       Scoring scoring) {
  std::vector<UnitCurves> all;
  std::vector<CurveBootstrap> bootstraps;
  for (const auto& group : groups) bootstraps.emplace_back(group);
  for (const auto& [unit, name] : enum_names(Unit{})) {
    const auto budgets = curve_budgets(groups, unit);
    if (unit != first && budgets.size() == 1) continue;  // nothing of it was spent
    UnitCurves curves{unit, {}};
    for (std::size_t i = 0; i < groups.size(); ++i)
      curves.curves.push_back(curve_of(groups[i], budgets, unit, scoring, bootstraps[i]));
    all.insert(unit == first ? all.begin() : all.end(), std::move(curves));
  }
  return all;
}

}  // namespace ridgeline::compare
