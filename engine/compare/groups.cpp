#include "engine/compare/groups.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ridgeline::compare {
namespace {

constexpr int resamples = 2000;
constexpr std::uint64_t bootstrap_seed = 20210707;

template <class Field>
bool several(const std::vector<Walk>& walks, Field field) {
  return std::any_of(walks.begin(), walks.end(),
                     [&](const Walk& walk) { return walk.*field != walks.front().*field; });
}

}  // namespace

std::vector<Group> group_walks(const std::vector<Walk>& walks, const Limits& limits, Scoring scoring) {
  const bool models = several(walks, &Walk::model);
  const bool languages = several(walks, &Walk::language);
  std::vector<Group> groups;
  std::map<std::string, std::size_t> index;
  for (const auto& walk : walks) {
    std::string label = walk.strategy;
    if (models) label += " · " + walk.model;
    if (languages) label += " · " + walk.language;
    const auto [found, added] = index.emplace(label, groups.size());
    if (added) groups.push_back({label, {}, {}, {}});
    auto& group = groups[found->second];
    const auto points = points_within(walk, limits);
    if (!walk.incomplete.empty())
      group.incomplete.push_back(&walk);
    else if (none_judged(walk, points))
      group.not_judged.push_back({&walk, points, nullptr});
    else
      group.walks.push_back({&walk, points, scored(walk, points, scoring)});
  }
  return groups;
}

Speed speed_of(const std::vector<double>& speedups) {
  std::vector<double> timed;
  std::copy_if(speedups.begin(), speedups.end(), std::back_inserter(timed), [](double s) { return s > 0; });
  // Sorted, since the resampling draws by place: the same kernels in another order give the same interval.
  std::sort(timed.begin(), timed.end());
  return {.kernels = static_cast<int>(timed.size()),
          .mean = geometric_mean(timed),
          .interval = bootstrap(timed, &geometric_mean, resamples, 0.95, bootstrap_seed)};
}

int flagged_within(const CutWalk& cut) {
  int flagged = 0;
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& outcome = cut.walk->points[i].outcome;
    flagged += outcome && outcome->flagged();
  }
  return flagged;
}

int not_judged_within(const CutWalk& cut) {
  int count = 0;
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& outcome = cut.walk->points[i].outcome;
    count += outcome && !outcome->judged;
  }
  return count;
}

namespace {

/// Of a finished walk, scored or not.
void add_spent(StrategyRow& row, const CutWalk& cut) {
  row.candidates_not_judged += not_judged_within(cut);
  if (cut.points == 0) return;
  const auto& spent = cut.walk->points[cut.points - 1];
  row.calls += spent.calls;
  row.tokens += spent.tokens;
  row.usd += spent.usd;
  row.evaluations += spent.evaluations;
}

}  // namespace

StrategyRow summarize(const Group& group) {
  StrategyRow row;
  row.label = group.label;
  row.trajectories = static_cast<int>(group.walks.size());
  row.not_judged = static_cast<int>(group.not_judged.size());
  row.incomplete = static_cast<int>(group.incomplete.size());
  for (const auto& cut : group.not_judged) add_spent(row, cut);
  std::vector<double> rescued, persistent;
  for (const auto& cut : group.walks) {
    const auto& [walk, points, outcome] = cut;
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
    (origin_of(*walk, points) == Origin::rescued ? rescued : persistent).push_back(outcome->speedup);
  }
  std::sort(row.speedups.begin(), row.speedups.end());
  row.speed = speed_of(row.speedups);
  row.rescued = speed_of(rescued);
  row.persistent = speed_of(persistent);
  return row;
}

std::vector<std::string> categories_of(const std::vector<Group>& groups) {
  std::set<std::string> names;
  for (const auto& group : groups)
    for (const auto* cuts : {&group.walks, &group.not_judged})
      for (const auto& cut : *cuts) names.insert(cut.walk->category);
  return {names.begin(), names.end()};
}

std::vector<Cell> cells_of(const Group& group, const std::vector<std::string>& categories) {
  std::vector<Cell> cells;
  for (const auto& category : categories) {
    Cell cell;
    std::vector<double> speedups;
    for (const auto& cut : group.not_judged) cell.not_judged += cut.walk->category == category;
    for (const auto& cut : group.walks) {
      if (cut.walk->category != category) continue;
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
