#include "engine/compare/quantization_rows.hpp"

#include <array>
#include <map>
#include <string>

#include "engine/compare/groups.hpp"
#include "engine/core/statistics.hpp"

namespace ridgeline::compare {
namespace {

constexpr const char* quantized_category = "Quantization";  // KernelBench-X's, and so the native suite's

struct TaskKernels {
  bool solved = false;
  std::vector<QuantizationDistance> distances;
};

void count_candidates(QuantizationRow& row, const CutTrajectory& cut) {
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& outcome = cut.trajectory->points[i].outcome;
    if (!outcome || !outcome->callable) continue;
    ++row.candidates;
    row.not_quantized += outcome->not_quantized;
  }
}

QuantizationRow row_of(std::size_t strategy, const StrategyGroup& group) {
  QuantizationRow row{.strategy = strategy};
  std::map<std::string, TaskKernels> tasks;
  for (const auto& cut : group.trajectories) {
    if (cut.trajectory->category != quantized_category) continue;
    count_candidates(row, cut);
    auto& task = tasks[cut.trajectory->task];
    if (!score_of(cut.outcome).solved) continue;
    task.solved = true;
    if (cut.outcome->quantization) task.distances.push_back(*cut.outcome->quantization);
  }
  row.tasks = static_cast<int>(tasks.size());
  std::array<std::vector<double>, distance_figures.size()> means;
  for (const auto& [name, task] : tasks) {
    row.solved += task.solved;
    if (task.distances.empty()) continue;
    ++row.measured;
    for (std::size_t i = 0; i < distance_figures.size(); ++i) {
      double sum = 0;
      for (const auto& distance : task.distances) sum += distance.*distance_figures[i];
      means[i].push_back(sum / static_cast<double>(task.distances.size()));
    }
  }
  for (std::size_t i = 0; i < distance_figures.size(); ++i)
    row.distance.*distance_figures[i] = median(std::move(means[i]));
  return row;
}

}  // namespace

std::vector<QuantizationRow> quantization_rows(const std::vector<StrategyGroup>& groups) {
  std::vector<QuantizationRow> rows;
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy)
    if (auto row = row_of(strategy, groups[strategy]); row.tasks > 0) rows.push_back(row);
  return rows;
}

}  // namespace ridgeline::compare
