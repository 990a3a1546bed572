// The comparison by round and by task, and the kernels' places on the roofline.
#include <algorithm>
#include <map>

#include "engine/compare/groups.hpp"

namespace ridgeline::compare {
namespace {

/// The points of the cut walk up to and with `round`.
std::size_t points_up_to(const CutWalk& cut, int round) {
  std::size_t count = 0;
  while (count < cut.points && cut.walk->points[count].round <= round) ++count;
  return count;
}

void add_not_judged(RoundRow& row, const CutWalk& cut) {
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& point = cut.walk->points[i];
    row.not_judged += point.round == row.round && point.outcome && !point.outcome->judged;
  }
}

RoundRow round_of(const Group& group, std::size_t strategy, int round, Scoring scoring) {
  RoundRow row;
  row.strategy = strategy;
  row.round = round;
  std::vector<double> found, best;
  for (const auto& cut : group.not_judged) add_not_judged(row, cut);
  for (const auto& cut : group.walks) {
    add_not_judged(row, cut);
    for (std::size_t i = 0; i < cut.points; ++i) {
      const auto& point = cut.walk->points[i];
      if (point.round != round || !point.outcome || !point.outcome->judged) continue;
      ++row.candidates;
      row.compiled += point.outcome->compiled;
      row.correct += point.outcome->correct;
      row.flagged += point.outcome->flagged();
      found.push_back(point.outcome->speedup);
    }
    const auto* outcome = scored(*cut.walk, points_up_to(cut, round), scoring);
    if (outcome == nullptr || !outcome->correct) continue;
    ++row.solved;
    best.push_back(outcome->speedup);
  }
  row.speed = speed_of(found);
  row.best = speed_of(best);
  return row;
}

int last_round(const Group& group) {
  int last = -1;
  for (const auto* cuts : {&group.walks, &group.not_judged})
    for (const auto& cut : *cuts)
      for (std::size_t i = 0; i < cut.points; ++i) last = std::max(last, cut.walk->points[i].round);
  return last;
}

}  // namespace

std::vector<RoundRow> rounds_of(const std::vector<Group>& groups, Scoring scoring) {
  std::vector<RoundRow> rows;
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy)
    for (int round = 0; round <= last_round(groups[strategy]); ++round)
      rows.push_back(round_of(groups[strategy], strategy, round, scoring));
  return rows;
}

std::vector<TaskRow> tasks_of(const std::vector<Group>& groups) {
  std::map<std::string, TaskRow> tasks;
  const auto result_of = [&](const Walk& walk, std::size_t strategy) -> TaskResult& {
    auto& row = tasks[walk.task];
    row.task = walk.task;
    row.category = walk.category;
    row.results.resize(groups.size());
    return row.results[strategy];
  };
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy) {
    for (const auto& cut : groups[strategy].not_judged) ++result_of(*cut.walk, strategy).not_judged;
    for (const auto& cut : groups[strategy].walks) {
      const auto& [walk, points, outcome] = cut;
      auto& result = result_of(*walk, strategy);
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

std::vector<RooflinePoint> rooflines_of(const std::vector<Group>& groups) {
  std::vector<RooflinePoint> points;
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy)
    for (const auto& cut : groups[strategy].walks) {
      if (cut.outcome == nullptr || !cut.outcome->correct) continue;
      for (const auto& roofline : cut.outcome->rooflines)
        points.push_back({strategy, cut.walk->task, cut.outcome->device, roofline, cut.outcome->flagged()});
    }
  return points;
}

}  // namespace ridgeline::compare
