#include "engine/compare/noise_floor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "engine/core/statistics.hpp"

namespace ridgeline::compare {
namespace {

/// One evaluation of a kernel that was timed.
struct TimedEvaluation {
  std::int64_t at = 0;
  double speedup = 0;
  auto operator<=>(const TimedEvaluation&) const = default;
};

/// Evaluations of one kernel (device, evaluation settings, task, candidate).
using KernelKey = std::tuple<std::string, std::string, Hash, std::string, Hash>;

/// The settings of the evaluation, as text. Other settings time the same kernel otherwise, which is no noise.
std::string evaluation_of(const ComparedTrajectory& trajectory) {
  std::string text;
  if (!trajectory.settings) return text;
  for (const auto& [path, value] : *trajectory.settings)
    if (part_of(path) == Part::evaluation) text.append(path).append(1, '=').append(value).append(1, '\n');
  return text;
}

std::map<KernelKey, std::vector<TimedEvaluation>> timed_by_kernel(
    const std::vector<ComparedTrajectory>& trajectories) {
  std::map<KernelKey, std::vector<TimedEvaluation>> kernels;
  for (const auto& trajectory : trajectories) {
    const auto evaluation = evaluation_of(trajectory);
    for (const auto& point : trajectory.points) {
      if (!point.outcome || point.outcome->speedup <= 0 || point.outcome->flagged()) continue;
      const auto& outcome = *point.outcome;
      kernels[{outcome.device, evaluation, trajectory.task_hash, trajectory.task, outcome.candidate}]
          .push_back({outcome.evaluated_at, outcome.speedup});
    }
  }
  return kernels;
}

}  // namespace

std::vector<NoiseFloor> noise_floors(const std::vector<ComparedTrajectory>& trajectories) {
  std::vector<NoiseFloor> floors;
  std::vector<double> distances;  // of the last floor's device: the keys are in the order of devices
  const auto finish = [&] {
    if (!floors.empty()) floors.back().ratio = std::exp(quantile(distances, 0.95));
    distances.clear();
  };
  for (auto& [key, evaluations] : timed_by_kernel(trajectories)) {
    auto times = evaluations;
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());  // copies of one evaluation
    if (times.size() < 2) continue;
    const auto& device = std::get<0>(key);
    if (floors.empty() || floors.back().device != device) {
      finish();
      floors.push_back({.device = device});
    }
    ++floors.back().kernels;
    floors.back().repeats += static_cast<int>(times.size()) - 1;
    for (std::size_t i = 1; i < times.size(); ++i)
      distances.push_back(std::abs(std::log(times[i].speedup / times[i - 1].speedup)));
  }
  finish();
  return floors;
}

const NoiseFloor* floor_of(const std::vector<NoiseFloor>& floors, const std::string& device) {
  const auto found = std::find_if(floors.begin(), floors.end(),
                                  [&](const NoiseFloor& floor) { return floor.device == device; });
  return found == floors.end() ? nullptr : &*found;
}

std::string describe(const std::vector<NoiseFloor>& floors) {
  if (floors.empty())
    return "the machine's noise floor is not known, since no kernel was evaluated twice; a recording that is "
           "replayed into a second store and compared with the first measures it";
  std::string text = "noise floor, by which two evaluations of one kernel differ in 19 of 20 repeats: ";
  for (const auto& floor : floors)
    text +=
        fmt::format("{}up to {:.3f}× on {} ({} repeats of {} kernels)", &floor == &floors.front() ? "" : "; ",
                    floor.ratio, floor.device, floor.repeats, floor.kernels);
  return text;
}

}  // namespace ridgeline::compare
