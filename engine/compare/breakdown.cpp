// Breaks a comparison down by round and by task, and places kernels on the roofline.
#include <algorithm>
#include <map>

#include "engine/compare/groups.hpp"

namespace ridgeline::compare {
namespace {

/// The number of points within the cut up to and including `round`.
std::size_t points_up_to(const CutTrajectory& cut, int round) {
  std::size_t count = 0;
  while (count < cut.points && cut.trajectory->points[count].round <= round) ++count;
  return count;
}

/// Counts the candidates of a round that the machine could not judge.
void add_not_judged(RoundRow& row, const CutTrajectory& cut) {
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& point = cut.trajectory->points[i];
    row.not_judged += point.round == row.round && point.outcome && !point.outcome->judged;
  }
}

RoundRow round_of(const StrategyGroup& group, std::size_t strategy, int round, Scoring scoring) {
  RoundRow row;
  row.strategy = strategy;
  row.round = round;
  std::vector<double> speedups, best;
  for (const auto& cut : group.not_judged) add_not_judged(row, cut);
  for (const auto& cut : group.trajectories) {
    add_not_judged(row, cut);
    for (std::size_t i = 0; i < cut.points; ++i) {
      const auto& point = cut.trajectory->points[i];
      if (point.round != round || !point.outcome || !point.outcome->judged) continue;
      ++row.candidates;
      row.compiled += point.outcome->compiled;
      row.correct += point.outcome->correct;
      row.flagged += point.outcome->flagged();
      speedups.push_back(point.outcome->speedup);
    }
    const auto* outcome = scored(*cut.trajectory, points_up_to(cut, round), scoring);
    if (outcome == nullptr || !outcome->correct) continue;
    ++row.solved;
    best.push_back(outcome->speedup);
  }
  row.speed = speed_of(speedups);
  row.best = speed_of(best);
  return row;
}

int last_round(const StrategyGroup& group) {
  int last = -1;
  for (const auto* cuts : {&group.trajectories, &group.not_judged})
    for (const auto& cut : *cuts)
      for (std::size_t i = 0; i < cut.points; ++i) last = std::max(last, cut.trajectory->points[i].round);
  return last;
}

}  // namespace

std::vector<RoundRow> rounds_of(const std::vector<StrategyGroup>& groups, Scoring scoring) {
  std::vector<RoundRow> rows;
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy)
    for (int round = 0; round <= last_round(groups[strategy]); ++round)
      rows.push_back(round_of(groups[strategy], strategy, round, scoring));
  return rows;
}

std::vector<TaskRow> tasks_of(const std::vector<StrategyGroup>& groups) {
  std::map<std::string, TaskRow> tasks;
  const auto result_of = [&](const ComparedTrajectory& trajectory, std::size_t strategy) -> TaskResult& {
    auto& row = tasks[trajectory.task];
    row.task = trajectory.task;
    row.category = trajectory.category;
    row.results.resize(groups.size());
    return row.results[strategy];
  };
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy) {
    for (const auto& cut : groups[strategy].not_judged) ++result_of(*cut.trajectory, strategy).not_judged;
    for (const auto& cut : groups[strategy].trajectories) {
      const auto& [trajectory, points, outcome] = cut;
      auto& result = result_of(*trajectory, strategy);
      ++result.trajectories;
      result.flagged += flagged_within(cut);
      if (outcome == nullptr || !outcome->correct) continue;
      ++result.correct;
      if (outcome->speedup <= result.best.value_or(0)) continue;
      result.best = outcome->speedup;
      result.candidate = outcome->candidate;
      result.best_flagged = outcome->flagged();
    }
  }
  std::vector<TaskRow> rows;
  for (auto& [name, row] : tasks) {
    double fastest = 0;
    for (std::size_t i = 0; i < row.results.size(); ++i)
      if (row.results[i].best.value_or(0) > fastest) {
        fastest = *row.results[i].best;
        row.fastest = i;
      }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<RooflinePoint> rooflines_of(const std::vector<StrategyGroup>& groups) {
  std::vector<RooflinePoint> points;
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy)
    for (const auto& cut : groups[strategy].trajectories) {
      if (cut.outcome == nullptr || !cut.outcome->correct) continue;
      for (const auto& roofline : cut.outcome->rooflines)
        points.push_back(
            {strategy, cut.trajectory->task, cut.outcome->device, roofline, cut.outcome->flagged()});
    }
  return points;
}

}  // namespace ridgeline::compare
