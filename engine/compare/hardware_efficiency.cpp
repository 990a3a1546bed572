#include "engine/compare/hardware_efficiency.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace ridgeline::compare {
namespace {

/// Sums over the timed cases of one kernel.
struct CaseSums {
  double weighted = 0, seconds = 0;
  double mean() const { return seconds > 0 ? weighted / seconds : 0; }
};

void add_task(EfficiencyCell& cell, const std::vector<double>& kernels) {
  double sum = 0;
  for (const double kernel : kernels) {
    sum += kernel;
    cell.highest = std::max(cell.highest, kernel);
    cell.over_roof += kernel > 1;
  }
  // The mean of all tasks so far, so that no second pass is needed.
  cell.mean += (sum / static_cast<double>(kernels.size()) - cell.mean) / ++cell.tasks;
}

}  // namespace

std::vector<EfficiencyRow> hardware_efficiencies(const Comparison& comparison) {
  std::map<std::size_t, CaseSums> kernels;  // by trajectory, which has one scored kernel
  for (const auto& point : comparison.rooflines) {
    if (point.flagged || point.roofline.seconds <= 0) continue;
    auto& sums = kernels[point.trajectory];
    sums.weighted += point.roofline.efficiency * point.roofline.seconds;
    sums.seconds += point.roofline.seconds;
  }
  if (kernels.empty()) return {};
  std::map<std::string, std::size_t> category_of;
  for (const auto& task : comparison.tasks) {
    const auto found = std::ranges::find(comparison.categories, task.category);
    category_of[task.task] = static_cast<std::size_t>(found - comparison.categories.begin());
  }
  std::map<std::pair<std::size_t, std::string>, std::vector<double>> by_task;
  for (const auto& [index, sums] : kernels) {
    const auto& trajectory = comparison.trajectories[index];
    by_task[{trajectory.strategy, trajectory.task}].push_back(sums.mean());
  }
  std::vector<EfficiencyRow> rows(comparison.strategies.size());
  for (auto& row : rows) row.by_category.resize(comparison.categories.size());
  for (const auto& [key, values] : by_task) {
    auto& row = rows[key.first];
    add_task(row.all, values);
    if (const auto category = category_of.find(key.second);
        category != category_of.end() && category->second < row.by_category.size())
      add_task(row.by_category[category->second], values);
  }
  return rows;
}

}  // namespace ridgeline::compare
