#include "engine/compare/precision_pairs.hpp"

#include <array>
#include <map>
#include <string>

#include "engine/compare/paired_statistics.hpp"

namespace ridgeline::compare {
namespace {

/// Endings of names in KernelBench-X, whose names native tasks bear.
constexpr std::array precisions = {"bf16", "fp16", "int8", "w8a8", "w4a16"};

double solved_share(const TaskResult& result) {
  return static_cast<double>(result.correct) / result.trajectories;
}

/// Tasks of a clone bear their category before their name, which may differ within a pair.
std::string without_category(const TaskRow& task) {
  const auto prefix = task.category + "_";
  return task.task.starts_with(prefix) ? task.task.substr(prefix.size()) : task.task;
}

void add_pair(PrecisionRow& row, double plain, double narrow) {
  ++row.tasks;
  row.plain += (plain - row.plain) / row.tasks;
  row.narrow += (narrow - row.narrow) / row.tasks;
  row.more_plain += plain > narrow;
  row.more_narrow += narrow > plain;
}

}  // namespace

std::vector<PrecisionRow> precision_pairs(const Comparison& comparison) {
  std::map<std::string, const TaskRow*> tasks;
  for (const auto& task : comparison.tasks) tasks[without_category(task)] = &task;
  std::vector<PrecisionRow> rows;
  for (std::size_t strategy = 0; strategy < comparison.strategies.size(); ++strategy)
    for (const std::string precision : precisions) {
      PrecisionRow row{.strategy = strategy, .precision = precision};
      for (const auto& [name, plain] : tasks) {
        const auto narrow = tasks.find(name + "_" + precision);
        if (narrow == tasks.end()) continue;
        const auto &first = plain->results[strategy], &second = narrow->second->results[strategy];
        if (first.trajectories > 0 && second.trajectories > 0)
          add_pair(row, solved_share(first), solved_share(second));
      }
      if (row.tasks == 0) continue;
      row.p = mcnemar_p(row.more_plain, row.more_narrow);
      rows.push_back(row);
    }
  std::vector<double> p;
  for (const auto& row : rows) p.push_back(row.p);
  const auto adjusted = holm(p);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].p_holm = adjusted[i];
  return rows;
}

}  // namespace ridgeline::compare
