// The tables of hardware efficiency and of precisions.
#include <fmt/format.h>

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

}  // namespace ridgeline::compare
