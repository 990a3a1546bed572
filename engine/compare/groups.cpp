#include "engine/compare/groups.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ridgeline::compare {
namespace {

constexpr int resamples = 2000;
constexpr std::uint64_t bootstrap_seed = 20210707;

/// Whether trajectories differ in a field.
template <class Field>
bool several(const std::vector<ComparedTrajectory>& trajectories, Field field) {
  return std::any_of(trajectories.begin(), trajectories.end(), [&](const ComparedTrajectory& trajectory) {
    return trajectory.*field != trajectories.front().*field;
  });
}

}  // namespace

std::vector<StrategyGroup> group_trajectories(const std::vector<ComparedTrajectory>& trajectories,
                                              const BudgetLimits& limits, Scoring scoring) {
  const bool models = several(trajectories, &ComparedTrajectory::model);
  const bool languages = several(trajectories, &ComparedTrajectory::language);
  std::vector<StrategyGroup> groups;
  std::map<std::string, std::size_t> index;
  for (const auto& trajectory : trajectories) {
    std::string label = trajectory.strategy;
    if (models) label += " · " + trajectory.model;
    if (languages) label += " · " + trajectory.language;
    const auto [found, added] = index.emplace(label, groups.size());
    if (added) groups.push_back({label, {}, {}, {}});
    auto& group = groups[found->second];
    const auto points = points_within(trajectory, limits);
    if (!trajectory.incomplete.empty())
      group.incomplete.push_back(&trajectory);
    else if (none_judged(trajectory, points))
      group.not_judged.push_back({&trajectory, points, nullptr});
    else
      group.trajectories.push_back({&trajectory, points, scored(trajectory, points, scoring)});
  }
  return groups;
}

Speed speed_of(const std::vector<double>& speedups) {
  std::vector<double> timed;
  std::copy_if(speedups.begin(), speedups.end(), std::back_inserter(timed), [](double s) { return s > 0; });
  // Resampling draws by position, so values are sorted: the same kernels in another order give the same
  // interval.
  std::sort(timed.begin(), timed.end());
  return {.kernels = static_cast<int>(timed.size()),
          .mean = geometric_mean(timed),
          .interval = bootstrap(timed, &geometric_mean, resamples, 0.95, bootstrap_seed)};
}

int flagged_within(const CutTrajectory& cut) {
  int flagged = 0;
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& outcome = cut.trajectory->points[i].outcome;
    flagged += outcome && outcome->flagged();
  }
  return flagged;
}

int not_judged_within(const CutTrajectory& cut) {
  int count = 0;
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& outcome = cut.trajectory->points[i].outcome;
    count += outcome && !outcome->judged;
  }
  return count;
}

namespace {

/// Adds what a finished trajectory spent, scored or not.
void add_spent(StrategyRow& row, const CutTrajectory& cut) {
  row.candidates_not_judged += not_judged_within(cut);
  if (cut.points == 0) return;
  const auto& spent = cut.trajectory->points[cut.points - 1];
  row.calls += spent.calls;
  row.tokens += spent.tokens;
  row.usd += spent.usd;
  row.evaluations += spent.evaluations;
}

}  // namespace

StrategyRow summarize(const StrategyGroup& group) {
  StrategyRow row;
  row.label = group.label;
  row.trajectories = static_cast<int>(group.trajectories.size());
  row.not_judged = static_cast<int>(group.not_judged.size());
  row.incomplete = static_cast<int>(group.incomplete.size());
  for (const auto& cut : group.not_judged) add_spent(row, cut);
  std::vector<double> rescued, persistent;
  for (const auto& cut : group.trajectories) {
    const auto& [trajectory, points, outcome] = cut;
    row.flagged += flagged_within(cut);
    add_spent(row, cut);
    if (outcome == nullptr) continue;
    row.compiled += outcome->compiled;
    if (!outcome->correct) continue;
    ++row.correct;
    row.final_failed += outcome->final_failures > 0;
    for (std::size_t i = 0; i < fast_thresholds.size(); ++i)
      row.fast[i] += fast_thresholds[i] == 0 || outcome->speedup > fast_thresholds[i];
    if (outcome->speedup <= 0) continue;
    row.speedups.push_back(outcome->speedup);
    (origin_of(*trajectory, points) == Origin::rescued ? rescued : persistent).push_back(outcome->speedup);
  }
  std::sort(row.speedups.begin(), row.speedups.end());
  row.speed = speed_of(row.speedups);
  row.rescued = speed_of(rescued);
  row.persistent = speed_of(persistent);
  return row;
}

std::vector<std::string> categories_of(const std::vector<StrategyGroup>& groups) {
  std::set<std::string> names;
  for (const auto& group : groups)
    for (const auto* cuts : {&group.trajectories, &group.not_judged})
      for (const auto& cut : *cuts) names.insert(cut.trajectory->category);
  return {names.begin(), names.end()};
}

std::vector<Cell> cells_of(const StrategyGroup& group, const std::vector<std::string>& categories) {
  std::vector<Cell> cells;
  for (const auto& category : categories) {
    Cell cell;
    std::vector<double> speedups;
    for (const auto& cut : group.not_judged) cell.not_judged += cut.trajectory->category == category;
    for (const auto& cut : group.trajectories) {
      if (cut.trajectory->category != category) continue;
      ++cell.trajectories;
      if (cut.outcome == nullptr) continue;
      cell.compiled += cut.outcome->compiled;
      cell.correct += cut.outcome->correct;
      speedups.push_back(cut.outcome->speedup);
    }
    cell.speed = speed_of(speedups);
    cells.push_back(cell);
  }
  return cells;
}

}  // namespace ridgeline::compare
