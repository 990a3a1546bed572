// Breaks a comparison down by round and by task, and places kernels on the roofline.
#include <algorithm>
#include <map>
#include <set>

#include "engine/compare/groups.hpp"
#include "engine/compare/score.hpp"

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

bool any_callable(const ComparedTrajectory& trajectory, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (trajectory.points[i].outcome && trajectory.points[i].outcome->callable) return true;
  return false;
}

RoundRow round_of(const StrategyGroup& group, std::size_t strategy, int round, Scoring scoring) {
  RoundRow row;
  row.strategy = strategy;
  row.round = round;
  std::vector<TimedKernel> newly, before;
  ScoreTally in_round, up_to;
  for (const auto& cut : group.not_judged) add_not_judged(row, cut);
  for (const auto& cut : group.trajectories) {
    add_not_judged(row, cut);
    for (std::size_t i = 0; i < cut.points; ++i) {
      const auto& point = cut.trajectory->points[i];
      if (point.round != round || !point.outcome || !point.outcome->judged) continue;
      ++row.candidates;
      row.compiled += point.outcome->compiled;
      row.flagged += point.outcome->flagged();
      in_round.add(cut.trajectory->task, score_of(&*point.outcome));
    }
    const auto points = points_up_to(cut, round);
    const auto score = score_of(scored(*cut.trajectory, points, scoring));
    up_to.add(cut.trajectory->task, score);
    row.callable += any_callable(*cut.trajectory, points);
    const bool was_solved = score_of(scored(*cut.trajectory, points_up_to(cut, round - 1), scoring)).solved;
    if (score.timed()) (was_solved ? before : newly).push_back({cut.trajectory->task, score.speedup});
  }
  row.correct = in_round.solved();
  row.speed = in_round.speed();
  row.solved = up_to.solved();
  row.best = up_to.speed();
  row.newly = speed_of(newly);
  row.before = speed_of(before);
  row.repair = ratio_of(newly, before);
  return row;
}

/// The strategy whose kernel is faster than every other beyond doubt.
std::optional<std::size_t> fastest_of(const std::vector<TaskResult>& results, double floor) {
  std::optional<std::size_t> fastest;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].best && (!fastest || *results[i].best > *results[*fastest].best)) fastest = i;
  if (!fastest) return std::nullopt;
  const auto& first = results[*fastest];
  for (std::size_t i = 0; i < results.size(); ++i)
    if (i != *fastest && results[i].best &&
        (first.best_low <= results[i].best_high || *first.best <= *results[i].best * floor))
      return std::nullopt;
  return fastest;
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

std::vector<TaskRow> tasks_of(const std::vector<StrategyGroup>& groups,
                              const std::vector<NoiseFloor>& floors) {
  std::map<std::string, TaskRow> tasks;
  std::map<std::string, std::set<std::string>> devices;  // on which kernels of a task were timed
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
      const auto score = score_of(outcome);
      result.correct += score.solved;
      if (score.timed()) devices[trajectory->task].insert(outcome->device);
      if (score.speedup <= result.best.value_or(0)) continue;
      result.best = score.speedup;
      result.best_low = outcome->speedup_low > 0 ? outcome->speedup_low : score.speedup;
      result.best_high = outcome->speedup_high > 0 ? outcome->speedup_high : score.speedup;
      result.candidate = outcome->candidate;
      result.best_flagged = outcome->flagged();
    }
  }
  std::vector<TaskRow> rows;
  for (auto& [name, row] : tasks) {
    double largest = 1;
    for (const auto& device : devices[name])
      if (const auto* floor = floor_of(floors, device)) largest = std::max(largest, floor->ratio);
    row.fastest = fastest_of(row.results, largest);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<SolvedTrial> trials_of(const std::vector<StrategyGroup>& groups) {
  std::map<std::string, std::size_t> tasks, categories;
  for (const auto& group : groups)
    for (const auto& cut : group.trajectories) {
      tasks.emplace(cut.trajectory->task, 0);
      categories.emplace(cut.trajectory->category, 0);
    }
  for (auto* names : {&tasks, &categories})
    for (std::size_t number = 0; auto& [name, value] : *names) value = number++;
  std::vector<SolvedTrial> trials;
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy)
    for (const auto& cut : groups[strategy].trajectories)
      trials.push_back({tasks.at(cut.trajectory->task), categories.at(cut.trajectory->category), strategy,
                        score_of(cut.outcome).solved});
  return trials;
}

std::vector<TrajectoryResult> trajectories_of(const std::vector<StrategyGroup>& groups) {
  std::vector<TrajectoryResult> results;
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy) {
    const auto add = [&](const ComparedTrajectory& trajectory, TrajectoryEnd state, const Score& score,
                         const CandidateOutcome* kernel = nullptr) {
      results.push_back({strategy, trajectory.task, trajectory.seed, trajectory.store, trajectory.id, state,
                         score, kernel == nullptr ? Hash() : kernel->candidate,
                         kernel != nullptr && kernel->callable});
    };
    for (const auto& cut : groups[strategy].trajectories) {
      const auto score = score_of(cut.outcome);
      add(*cut.trajectory, score.solved ? TrajectoryEnd::solved : TrajectoryEnd::unsolved, score,
          cut.outcome);
    }
    for (const auto& cut : groups[strategy].not_judged) add(*cut.trajectory, TrajectoryEnd::not_judged, {});
    for (const auto* trajectory : groups[strategy].incomplete)
      add(*trajectory, TrajectoryEnd::incomplete, {});
  }
  return results;
}

std::vector<RooflinePoint> rooflines_of(const std::vector<StrategyGroup>& groups,
                                        const RooflineReader& reader) {
  std::vector<RooflinePoint> points;
  std::size_t first = 0;  // of the group's trajectories in trajectories_of
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy) {
    const auto& group = groups[strategy];
    for (std::size_t i = 0; i < group.trajectories.size(); ++i) {
      const auto& cut = group.trajectories[i];
      if (!score_of(cut.outcome).solved) continue;
      const auto& outcome = *cut.outcome;
      auto rooflines = reader ? reader(*cut.trajectory, outcome) : outcome.rooflines;
      for (auto& roofline : rooflines)
        points.push_back({strategy, first + i, cut.trajectory->task, outcome.device, std::move(roofline),
                          outcome.flagged()});
    }
    first += group.trajectories.size() + group.not_judged.size() + group.incomplete.size();
  }
  return points;
}

}  // namespace ridgeline::compare
