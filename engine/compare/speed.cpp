#include "engine/compare/speed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "engine/compare/paired_statistics.hpp"

namespace ridgeline::compare {
namespace {

constexpr int speed_resamples = 2000;

/// Holds what one task adds to both sides of a ratio.
struct TaskSums {
  std::array<double, 2> logarithms{}, kernels{};
};

/// The difference of the two mean logarithms; nullopt if a side has no kernel.
std::optional<double> log_ratio(const TaskSums& sums) {
  if (sums.kernels[0] == 0 || sums.kernels[1] == 0) return std::nullopt;
  return sums.logarithms[0] / sums.kernels[0] - sums.logarithms[1] / sums.kernels[1];
}

void add(TaskSums& to, const TaskSums& task) {
  for (std::size_t side = 0; side < 2; ++side) {
    to.logarithms[side] += task.logarithms[side];
    to.kernels[side] += task.kernels[side];
  }
}

}  // namespace

SpeedRatio ratio_of(const std::vector<TimedKernel>& first, const std::vector<TimedKernel>& second) {
  std::map<std::string_view, TaskSums> by_task;
  for (std::size_t side = 0; side < 2; ++side)
    for (const auto& kernel : side == 0 ? first : second) {
      if (kernel.speedup <= 0) continue;
      by_task[kernel.task].logarithms[side] += std::log(kernel.speedup);
      ++by_task[kernel.task].kernels[side];
    }
  std::vector<TaskSums> tasks;
  TaskSums all;
  for (const auto& [name, sums] : by_task) {
    tasks.push_back(sums);
    add(all, sums);
  }
  const auto whole = log_ratio(all);
  if (!whole) return {};
  Random random(0x5eed);
  std::vector<double> drawn;
  for (int i = 0; i < speed_resamples; ++i) {
    TaskSums sums;
    for (std::size_t k = 0; k < tasks.size(); ++k) add(sums, tasks[random.below(tasks.size())]);
    if (const auto one = log_ratio(sums)) drawn.push_back(*one);
  }
  return {.ratio = std::exp(*whole),
          .interval = {std::exp(quantile(drawn, 0.025)), std::exp(quantile(drawn, 0.975))}};
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

}  // namespace ridgeline::compare
