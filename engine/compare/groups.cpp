#include "engine/compare/groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "engine/compare/score.hpp"
#include "engine/suites/posing_mark.hpp"

namespace ridgeline::compare {
namespace {

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
          .posed = std::string(suites::posing_mark(trajectory.category)),
          .side = trajectory.side,
          .settings = settings_in(trajectory, parts)};
}

/// What trajectories of one row share, and what may differ between rows of one campaign: few of thousands.
struct Shared {
  std::string strategy, model, language, campaign, side;
  std::string_view posed;
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
    const auto [known, unknown] = index_.emplace(
        Shared{trajectory.strategy, trajectory.model, trajectory.language, trajectory.campaign,
               trajectory.side, suites::posing_mark(trajectory.category), trajectory.settings.get()},
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
  ScoreTally all(fast_thresholds);
  std::vector<TimedKernel> rescued, persistent;
  for (const auto& cut : group.trajectories) {
    const auto& [trajectory, points, outcome] = cut;
    row.flagged += flagged_within(cut);
    add_spent(row, cut);
    const auto score = score_of(outcome);
    all.add(trajectory->task, score);
    row.compiled += outcome != nullptr && outcome->compiled;
    row.callable += outcome != nullptr && outcome->callable;
    row.final_failed += score.solved && outcome->final_failures > 0;
    if (!score.timed()) continue;
    row.speedups.push_back(score.speedup);
    (origin_of(*trajectory, points) == Origin::rescued ? rescued : persistent)
        .push_back({trajectory->task, score.speedup});
  }
  std::sort(row.speedups.begin(), row.speedups.end());
  row.correct = all.solved();
  for (std::size_t i = 0; i < row.fast.size(); ++i) row.fast[i] = static_cast<int>(all.fast()[i]);
  row.kept_quartiles = all.kept_quartiles();
  row.speed = all.speed();
  row.rescued = speed_of(rescued);
  row.persistent = speed_of(persistent);
  row.repair = ratio_of(rescued, persistent);
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
    ScoreTally tally;
    for (const auto& cut : group.not_judged) cell.not_judged += cut.trajectory->category == category;
    for (const auto& cut : group.trajectories) {
      if (cut.trajectory->category != category) continue;
      ++cell.trajectories;
      cell.compiled += cut.outcome != nullptr && cut.outcome->compiled;
      cell.callable += cut.outcome != nullptr && cut.outcome->callable;
      tally.add(cut.trajectory->task, score_of(cut.outcome));
    }
    cell.correct = tally.solved();
    cell.speed = tally.speed();
    cells.push_back(cell);
  }
  return cells;
}

}  // namespace ridgeline::compare
