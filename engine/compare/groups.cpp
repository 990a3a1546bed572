#include "engine/compare/groups.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "engine/compare/paired_statistics.hpp"

namespace ridgeline::compare {
namespace {

constexpr int speed_resamples = 2000;

/// The trajectory's settings that belong to a part, or to any part but the ones that are named apart.
Settings settings_in(const ComparedTrajectory& trajectory, const std::set<Part>& parts) {
  Settings chosen;
  if (!trajectory.settings) return chosen;
  for (const auto& setting : *trajectory.settings)
    if (parts.contains(part_of(setting.first))) chosen.insert(setting);
  return chosen;
}

RowIdentity identity_in(const ComparedTrajectory& trajectory, const std::set<Part>& parts) {
  const auto if_chosen = [&](Part part, const std::string& text) {
    return parts.contains(part) ? text : std::string();
  };
  return {.strategy = if_chosen(Part::strategy, trajectory.strategy),
          .model = if_chosen(Part::models, trajectory.model),
          .language = if_chosen(Part::language, trajectory.language),
          .campaign = if_chosen(Part::campaign, trajectory.campaign),
          .side = trajectory.side,
          .settings = settings_in(trajectory, parts)};
}

/// What trajectories of one row share, and what may differ between rows of one campaign: few of thousands.
struct Shared {
  std::string strategy, model, language, campaign, side;
  const Settings* settings = nullptr;
  auto operator<=>(const Shared&) const = default;
};

/// Finds the group of a trajectory. Texts are compared once for all trajectories that share them.
class Grouping {
 public:
  Grouping(std::vector<StrategyGroup>& groups, const std::vector<Part>& parts)
      : groups_(groups), parts_(parts.begin(), parts.end()) {
    for (const auto& [part, name] : enum_names(Part{}))
      if (part != Part::campaign && !parts_.contains(part)) others_.insert(part);
  }

  StrategyGroup& group_of(const ComparedTrajectory& trajectory) {
    const auto [known, unknown] =
        index_.emplace(Shared{trajectory.strategy, trajectory.model, trajectory.language, trajectory.campaign,
                              trajectory.side, trajectory.settings.get()},
                       groups_.size());
    if (!unknown) return groups_[known->second];
    auto identity = identity_in(trajectory, parts_);
    std::size_t place = 0;
    while (place < groups_.size() && groups_[place].identity != identity) ++place;
    known->second = place;
    if (place == groups_.size()) {
      groups_.push_back({.identity = std::move(identity)});
      first_.push_back(&trajectory);
    } else {
      note_pooled(groups_[place], *first_[place], trajectory);
    }
    return groups_[place];
  }

 private:
  void note_pooled(StrategyGroup& group, const ComparedTrajectory& first, const ComparedTrajectory& other) {
    for (const auto part : others_)
      if (identity_in(first, {part}) != identity_in(other, {part})) group.pooled.insert(part);
  }

  std::vector<StrategyGroup>& groups_;
  std::set<Part> parts_, others_;
  std::map<Shared, std::size_t> index_;
  std::vector<const ComparedTrajectory*> first_;  // of each group
};

}  // namespace

std::vector<StrategyGroup> group_trajectories(const std::vector<ComparedTrajectory>& trajectories,
                                              const BudgetLimits& limits, Scoring scoring,
                                              const std::vector<Part>& parts) {
  std::vector<StrategyGroup> groups;
  Grouping grouping(groups, parts);
  for (const auto& trajectory : trajectories) {
    auto& group = grouping.group_of(trajectory);
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

std::vector<SettingDifference> label_groups(std::vector<StrategyGroup>& groups) {
  std::vector<RowIdentity> rows;
  for (const auto& group : groups) rows.push_back(group.identity);
  auto differences = setting_differences(rows);
  const auto labels = labels_of(rows, differences);
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].label = labels[i];
  return differences;
}

Speed speed_of(std::vector<TimedKernel> kernels) {
  std::erase_if(kernels, [](const TimedKernel& kernel) { return kernel.speedup <= 0; });
  if (kernels.empty()) return {};
  // Resampling draws by position, and sums depend on their order.
  std::sort(kernels.begin(), kernels.end(), [](const TimedKernel& a, const TimedKernel& b) {
    return std::tie(a.task, a.speedup) < std::tie(b.task, b.speedup);
  });
  std::vector<Cluster> tasks;
  double sum = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (i == 0 || kernels[i].task != kernels[i - 1].task) tasks.push_back({0, 0});
    const double speed = std::log(kernels[i].speedup);
    tasks.back().sum += speed;
    ++tasks.back().count;
    sum += speed;
  }
  const auto interval = clustered_interval(tasks, speed_resamples, 0.95);
  return {.kernels = static_cast<int>(kernels.size()),
          .mean = std::exp(sum / static_cast<double>(kernels.size())),
          .interval = {std::exp(interval.low), std::exp(interval.high)}};
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
  row.wall_seconds += spent.wall_seconds;
  row.gpu_seconds += spent.gpu_seconds;
}

}  // namespace

StrategyRow summarize(const StrategyGroup& group) {
  StrategyRow row;
  row.label = group.label;
  row.identity = group.identity;
  row.trajectories = static_cast<int>(group.trajectories.size());
  row.not_judged = static_cast<int>(group.not_judged.size());
  row.incomplete = static_cast<int>(group.incomplete.size());
  for (const auto& cut : group.not_judged) add_spent(row, cut);
  std::vector<TimedKernel> timed, rescued, persistent;
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
    timed.push_back({trajectory->task, outcome->speedup});
    (origin_of(*trajectory, points) == Origin::rescued ? rescued : persistent).push_back(timed.back());
  }
  std::sort(row.speedups.begin(), row.speedups.end());
  row.speed = speed_of(timed);
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
    std::vector<TimedKernel> kernels;
    for (const auto& cut : group.not_judged) cell.not_judged += cut.trajectory->category == category;
    for (const auto& cut : group.trajectories) {
      if (cut.trajectory->category != category) continue;
      ++cell.trajectories;
      if (cut.outcome == nullptr) continue;
      cell.compiled += cut.outcome->compiled;
      cell.correct += cut.outcome->correct;
      kernels.push_back({cut.trajectory->task, cut.outcome->speedup});
    }
    cell.speed = speed_of(std::move(kernels));
    cells.push_back(cell);
  }
  return cells;
}

}  // namespace ridgeline::compare
