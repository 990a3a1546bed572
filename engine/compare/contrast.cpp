#include "engine/compare/contrast.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/compare/groups.hpp"
#include "engine/compare/paired_statistics.hpp"
#include "engine/compare/score.hpp"

namespace ridgeline::compare {
namespace {

/// What a strategy achieved on a task, averaged over its seeds. Speeds are logarithms of speed-ups.
struct TaskValue {
  int seeds = 0;
  double kept = 0;
  Interval kept_interval;
  double solved = 0;    // the share of seeds
  int timed = 0;        // seeds with a correct, timed kernel
  double measured = 0;  // of these, also where they are slower than eager LibTorch
  std::set<std::string> devices;
};

/// Tasks of one name that were defined otherwise are different tasks.
using TaskKey = std::pair<std::string, Hash>;
using TaskValues = std::map<TaskKey, TaskValue>;

void add_outcome(TaskValue& value, const CandidateOutcome* outcome) {
  ++value.seeds;
  const auto score = score_of(outcome);
  value.solved += score.solved;
  if (!score.timed()) return;
  ++value.timed;
  const double speed = std::log(score.speedup);
  value.measured += speed;
  value.kept += std::log(score.kept());
  const auto kept = [&](double end) { return std::max(0.0, end > 0 ? std::log(end) : speed); };
  value.kept_interval.low += kept(outcome->speedup_low);
  value.kept_interval.high += kept(outcome->speedup_high);
  value.devices.insert(outcome->device);
}

TaskValues values_of(const StrategyGroup& group) {
  TaskValues values;
  for (const auto& cut : group.trajectories)
    add_outcome(values[{cut.trajectory->task, cut.trajectory->task_hash}], cut.outcome);
  for (auto& [key, value] : values) {
    value.kept /= value.seeds;
    value.kept_interval.low /= value.seeds;
    value.kept_interval.high /= value.seeds;
    value.solved /= value.seeds;
    if (value.timed > 0) value.measured /= value.timed;
  }
  return values;
}

double floor_between(const TaskValue& first, const TaskValue& second, const std::vector<NoiseFloor>& floors) {
  double largest = 1;
  for (const auto* value : {&first, &second})
    for (const auto& device : value->devices)
      if (const auto* floor = floor_of(floors, device)) largest = std::max(largest, floor->ratio);
  return largest;
}

TaskDifference difference_of(const std::string& task, const TaskValue& first, const TaskValue& second,
                             double floor) {
  const double difference = first.kept - second.kept;
  const Interval interval{first.kept_interval.low - second.kept_interval.high,
                          first.kept_interval.high - second.kept_interval.low};
  auto result = TaskResultKind::tied;
  if (std::abs(difference) > std::log(floor)) {
    if (interval.low > 0) result = TaskResultKind::won;
    if (interval.high < 0) result = TaskResultKind::lost;
  }
  return {task,
          std::exp(first.kept),
          std::exp(second.kept),
          std::exp(difference),
          {std::exp(interval.low), std::exp(interval.high)},
          result};
}

Ratio ratio_of(const std::vector<double>& differences) {
  const auto interval = bca_interval_of_mean(differences, paired_resamples, 0.95);
  return {static_cast<int>(differences.size()),
          std::exp(mean(differences)),
          {std::exp(interval.low), std::exp(interval.high)}};
}

Contrast contrast_of(const TaskValues& firsts, const TaskValues& seconds,
                     const std::vector<NoiseFloor>& floors) {
  Contrast contrast;
  std::vector<double> kept, measured, solved;
  for (const auto& [key, first] : firsts) {
    const auto found = seconds.find(key);
    if (found == seconds.end()) continue;
    const auto& second = found->second;
    const double floor = floor_between(first, second, floors);
    contrast.floor = std::max(contrast.floor, floor);
    contrast.differences.push_back(difference_of(key.first, first, second, floor));
    const auto result = contrast.differences.back().result;
    contrast.won += result == TaskResultKind::won;
    contrast.lost += result == TaskResultKind::lost;
    contrast.tied += result == TaskResultKind::tied;
    kept.push_back(first.kept - second.kept);
    solved.push_back(first.solved - second.solved);
    if (first.timed > 0 && second.timed > 0) measured.push_back(first.measured - second.measured);
    contrast.solved_first += first.solved;
    contrast.solved_second += second.solved;
    contrast.more_solved_first += first.solved > second.solved;
    contrast.more_solved_second += first.solved < second.solved;
  }
  contrast.tasks = static_cast<int>(kept.size());
  contrast.tasks_apart = static_cast<int>(firsts.size() + seconds.size()) - 2 * contrast.tasks;
  if (contrast.tasks == 0) return contrast;
  contrast.solved_first /= contrast.tasks;
  contrast.solved_second /= contrast.tasks;
  contrast.solved_difference = bca_interval_of_mean(solved, paired_resamples, 0.95);
  contrast.solved_p = mcnemar_p(contrast.more_solved_first, contrast.more_solved_second);
  contrast.kept = ratio_of(kept);
  contrast.p = sign_flip_p(kept);
  contrast.both_solved = ratio_of(measured);
  return contrast;
}

}  // namespace

std::vector<Contrast> contrasts_of(const std::vector<StrategyGroup>& groups,
                                   const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                                   const std::vector<NoiseFloor>& floors) {
  std::vector<TaskValues> values;
  for (const auto& group : groups) values.push_back(values_of(group));
  std::vector<Contrast> contrasts;
  std::vector<double> p, solved_p;
  for (const auto& [first, second] : pairs) {
    auto contrast = contrast_of(values[first], values[second], floors);
    if (contrast.tasks == 0) continue;
    contrast.first = first;
    contrast.second = second;
    // Of one strategy under two sets of conditions these are what is compared, and its labels name them.
    if (groups[first].identity.strategy != groups[second].identity.strategy)
      contrast.also_differ = differing_conditions(groups[first].identity, groups[second].identity);
    p.push_back(contrast.p);
    solved_p.push_back(contrast.solved_p);
    contrasts.push_back(std::move(contrast));
  }
  const auto adjusted = holm(p), solved_adjusted = holm(solved_p);
  for (std::size_t i = 0; i < contrasts.size(); ++i) {
    contrasts[i].p_holm = adjusted[i];
    contrasts[i].solved_p_holm = solved_adjusted[i];
  }
  return contrasts;
}

}  // namespace ridgeline::compare
