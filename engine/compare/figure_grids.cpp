// The tables of hardware efficiency, precisions, quantized tasks, structure and code.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/compare/conclusion.hpp"
#include "engine/compare/grid.hpp"
#include "engine/compare/hardware_efficiency.hpp"
#include "engine/compare/precision_pairs.hpp"

namespace ridgeline::compare {
namespace {

std::string efficiency_text(const EfficiencyCell& cell) {
  if (cell.tasks == 0) return "–";
  const auto text =
      fmt::format("{:.0f}% of {}, at most {:.0f}%", 100 * cell.mean, cell.tasks, 100 * cell.highest);
  return cell.over_roof == 0 ? text : fmt::format("{}, {} over", text, cell.over_roof);
}

}  // namespace

Grid efficiency_grid(const Comparison& comparison) {
  Grid grid{
      .title = "Hardware efficiency",
      .explanation =
          "max(IOU, MFU) of scored, correct kernels: achieved over measured bandwidth or operations, the "
          "larger. A kernel is the mean over its cases, weighted by time; a task the mean over its "
          "trajectories; here the mean over tasks, of how many, and the highest kernel. Over: kernels "
          "beyond 100 %, whose data stay in caches or whose traffic is less than was counted.",
      .header = {"category"},
      .rows = {}};
  const auto rows = hardware_efficiencies(comparison);
  if (rows.empty()) return grid;
  for (const auto& row : comparison.strategies) grid.header.push_back(row.label);
  for (std::size_t category = 0; category < comparison.categories.size(); ++category) {
    std::vector<std::string> cells{comparison.categories[category]};
    for (const auto& row : rows) cells.push_back(efficiency_text(row.by_category[category]));
    grid.rows.push_back(std::move(cells));
  }
  std::vector<std::string> cells{"all"};
  for (const auto& row : rows) cells.push_back(efficiency_text(row.all));
  grid.rows.push_back(std::move(cells));
  return grid;
}

Grid precisions_grid(const Comparison& comparison) {
  Grid grid{.title = "The same tasks in two precisions",
            .explanation =
                "Pairs of tasks whose names differ by an ending, as gelu and gelu_bf16, of which a strategy "
                "tried both: the share solved of each, how many pairs were solved with more seeds plain and "
                "with more in the other precision, and McNemar's exact p of these two numbers, adjusted over "
                "all rows by Holm's method.",
            .header = {"strategy", "precision", "pairs", "plain", "in it", "more plain", "more in it", "p"},
            .rows = {}};
  for (const auto& row : precision_pairs(comparison))
    grid.rows.push_back({comparison.strategies[row.strategy].label, row.precision, std::to_string(row.tasks),
                         fmt::format("{:.0f}%", 100 * row.plain), fmt::format("{:.0f}%", 100 * row.narrow),
                         std::to_string(row.more_plain), std::to_string(row.more_narrow),
                         p_text(row.p_holm)});
  return grid;
}

Grid quantization_grid(const Comparison& comparison) {
  Grid grid{.title = "Quantized tasks",
            .explanation =
                "Tasks of the category Quantization, solved ones, and how many of all callable candidates "
                "were refused "
                "since they compute the unquantized result. Distances are to that result: medians over tasks "
                "with a "
                "correct scored kernel. They say how coarse the task's own quantization is, not which kernel "
                "is better.",
            .header = {"strategy", "tasks", "solved", "not quantized", "of", "cosine", "relative L1", "RMSE",
                       "SQNR dB"},
            .rows = {}};
  for (const auto& row : comparison.quantization) {
    const auto figure = [&](const char* format, double value) {
      return row.measured == 0 ? std::string("–") : fmt::format(fmt::runtime(format), value);
    };
    grid.rows.push_back({comparison.strategies[row.strategy].label, std::to_string(row.tasks),
                         std::to_string(row.solved), std::to_string(row.not_quantized),
                         std::to_string(row.candidates), figure("{:.4f}", row.distance.cosine),
                         figure("{:.4f}", row.distance.relative_l1), figure("{:.4g}", row.distance.rmse),
                         figure("{:.1f}", row.distance.sqnr_db)});
  }
  return grid;
}

Grid structure_grid(const Comparison& comparison) {
  Grid grid{.title = "How references are built",
            .explanation =
                "Spearman's rank correlation over tasks of counts in the text of the reference with the "
                "share solved and "
                "with the speed-up of those timed; behind it p by permutation, adjusted over all strategies "
                "and counts "
                "by Holm's method. Operators: calls of the framework and signs; indexing: where data says "
                "which element.",
            .header = {"strategy", "with", "tasks"},
            .rows = {}};
  for (const auto& row : comparison.structure)
    if (std::ranges::find(grid.header, row.proxy) == grid.header.end()) grid.header.push_back(row.proxy);
  const auto counts = grid.header.size() - 3;
  for (std::size_t first = 0; counts > 0 && first + counts <= comparison.structure.size(); first += counts)
    for (const auto& [name, kind] :
         {std::pair("solved", &StructureRow::solved), std::pair("speed-up", &StructureRow::speedup)}) {
      const auto& row = comparison.structure[first];
      std::vector<std::string> cells{comparison.strategies[row.strategy].label, name,
                                     std::to_string((row.*kind).tasks)};
      for (std::size_t i = first; i < first + counts; ++i) {
        const auto& found = comparison.structure[i].*kind;
        cells.push_back(fmt::format("{:+.2f}, {}", found.rho, p_text(found.p_holm)));
      }
      grid.rows.push_back(std::move(cells));
    }
  return grid;
}

Grid code_grid(const Comparison& comparison) {
  Grid grid{
      .title = "Maintainability and complexity",
      .explanation =
          "Of callable scored kernels: the maintainability index, 0 to 100, and cyclomatic complexity. Of "
          "Python "
          "they are radon's, by function; of C and CUDA ours, of the whole source. The two do not compare.",
      .header = {"strategy", "kernels", "by", "index", "lowest", "complexity", "most", "unread"},
      .rows = {}};
  for (const auto& row : comparison.code) {
    const auto figure = [&](double value) {
      return row.kernels == 0 ? std::string("–") : fmt::format("{:.1f}", value);
    };
    grid.rows.push_back({comparison.strategies[row.strategy].label, std::to_string(row.kernels),
                         row.python ? "radon" : "tokens", figure(row.index), figure(row.lowest_index),
                         figure(row.complexity), figure(row.most_complexity), std::to_string(row.unread)});
  }
  return grid;
}

}  // namespace ridgeline::compare
