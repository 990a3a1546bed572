#include "engine/compare/across_devices.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "engine/core/statistics.hpp"

namespace ridgeline::compare {
namespace {

/// One evaluation of a kernel, and where its rooflines are to be read.
struct Timed {
  const ComparedTrajectory* trajectory;
  const CandidateOutcome* outcome;
};

/// A kernel: the task's name and hash, and the candidate.
using TaskCandidate = std::tuple<std::string, Hash, Hash>;
/// Evaluations of a kernel, by device.
using ByDevice = std::map<std::string, std::vector<Timed>>;

std::map<TaskCandidate, ByDevice> timed_on_several(const std::vector<ComparedTrajectory>& trajectories) {
  std::map<TaskCandidate, ByDevice> kernels;
  for (const auto& trajectory : trajectories)
    for (const auto& point : trajectory.points) {
      if (!point.outcome || point.outcome->speedup <= 0 || point.outcome->flagged()) continue;
      kernels[{trajectory.task, trajectory.task_hash, point.outcome->candidate}][point.outcome->device]
          .push_back({&trajectory, &*point.outcome});
    }
  std::erase_if(kernels, [](const auto& kernel) { return kernel.second.size() < 2; });
  return kernels;
}

/// The mean of max(IOU, MFU) over all cases of all evaluations, weighted by time as KernelBench-X weighs it.
double efficiency_of(const std::vector<Timed>& evaluations, const RooflineReader& reader) {
  double weighted = 0, seconds = 0;
  for (const auto& [trajectory, outcome] : evaluations)
    for (const auto& roofline : reader ? reader(*trajectory, *outcome) : outcome->rooflines) {
      weighted += roofline.efficiency * roofline.seconds;
      seconds += roofline.seconds;
    }
  return seconds > 0 ? weighted / seconds : 0;
}

/// Whether each evaluation's interval is above 1, or below it.
enum class AgainstEager { faster, slower, undecided };

AgainstEager against_eager(const std::vector<Timed>& evaluations) {
  const auto all = [&](auto decides) {
    return std::ranges::all_of(evaluations, [&](const Timed& timed) { return decides(*timed.outcome); });
  };
  if (all([](const CandidateOutcome& outcome) { return outcome.speedup_low > 1; }))
    return AgainstEager::faster;
  // An interval that is not known ends at 0.
  if (all([](const CandidateOutcome& outcome) {
        return outcome.speedup_high > 0 && outcome.speedup_high < 1;
      }))
    return AgainstEager::slower;
  return AgainstEager::undecided;
}

KernelAcrossDevices across(const TaskCandidate& key, const ByDevice& by_device,
                           const std::vector<std::string>& devices, const RooflineReader& reader) {
  KernelAcrossDevices kernel{.task = std::get<0>(key), .candidate = std::get<2>(key)};
  std::vector<double> speedups;
  std::vector<std::size_t> faster;
  std::size_t slower = 0;
  for (std::size_t device = 0; device < devices.size(); ++device) {
    auto& on = kernel.by_device.emplace_back();
    const auto found = by_device.find(devices[device]);
    if (found == by_device.end()) continue;
    std::vector<double> each;
    for (const auto& timed : found->second) each.push_back(timed.outcome->speedup);
    on = {.speedup = median(each), .efficiency = efficiency_of(found->second, reader)};
    speedups.push_back(on->speedup);
    const auto decided = against_eager(found->second);
    if (decided == AgainstEager::faster) faster.push_back(device);
    if (decided == AgainstEager::slower) ++slower;
  }
  const auto [least, most] = std::ranges::minmax(speedups);
  kernel.ratio = most / least;
  if (faster.size() == 1 && slower + 1 == by_device.size()) kernel.only_fast_device = faster.front();
  return kernel;
}

}  // namespace

std::optional<AcrossDevices> across_devices(const std::vector<ComparedTrajectory>& trajectories,
                                            const RooflineReader& rooflines) {
  const auto timed = timed_on_several(trajectories);
  if (timed.empty()) return std::nullopt;
  std::set<std::string> names;
  for (const auto& [key, by_device] : timed)
    for (const auto& [device, evaluations] : by_device) names.insert(device);
  AcrossDevices found{.devices = {names.begin(), names.end()}};
  for (const auto& [key, by_device] : timed)
    found.kernels.push_back(across(key, by_device, found.devices, rooflines));
  std::ranges::stable_sort(found.kernels, std::ranges::greater{}, &KernelAcrossDevices::ratio);
  std::vector<TimedKernel> ratios;
  std::vector<double> each;
  for (const auto& kernel : found.kernels) {
    ratios.push_back({kernel.task, kernel.ratio});
    each.push_back(kernel.ratio);
  }
  found.mean_ratio = speed_of(ratios);
  found.median_ratio = median(each);
  for (std::size_t device = 0; device < found.devices.size(); ++device) {
    std::vector<TimedKernel> there;
    for (const auto& kernel : found.kernels)
      if (kernel.by_device[device]) there.push_back({kernel.task, kernel.by_device[device]->speedup});
    found.speeds.push_back(speed_of(std::move(there)));
    found.only_fast_counts.push_back(static_cast<int>(
        std::ranges::count(found.kernels, std::optional(device), &KernelAcrossDevices::only_fast_device)));
  }
  return found;
}

}  // namespace ridgeline::compare
