// Builds the tables of a comparison, with the same words for the terminal and for the report.
#pragma once

#include <string>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// A table of text. Printed, the first column is aligned left and all others right.
struct Grid {
  std::string title;
  std::string explanation;  ///< some sentences, for the report alone; may be empty
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
};

/// How trajectories ended, the mean speed-up, and what was spent, by strategy.
Grid strategies_grid(const Comparison& comparison);
/// By pair of strategies: the ratio of their speed-ups over the tasks that both tried, tasks won, lost and
/// tied, the ratio where both solved, and the tasks solved; each p beside its value by Holm.
Grid contrasts_grid(const Comparison& comparison);
/// The settings in which rows differ, with each row's value.
Grid differences_grid(const Comparison& comparison);
/// fast_p: the shares of trajectories above each of fast_thresholds, by strategy.
Grid fast_grid(const Comparison& comparison);
/// By strategy: the number and mean speed-up of scored, timed kernels that were rescued (a judged candidate
/// of the trajectory failed before its first correct candidate) or persistent (none did), and the ratio of
/// the two; and the share of correct scored kernels, timed or not, that fail a `final` case.
Grid repair_grid(const Comparison& comparison);
/// Figures of each round of each strategy.
Grid rounds_grid(const Comparison& comparison);
/// Correct trajectories and their mean speed-up, by category and strategy; and the tasks that no strategy
/// solved.
Grid categories_grid(const Comparison& comparison);
/// How much of what was solved categories and strategies explain; only if there is `Comparison::attribution`.
Grid attribution_grid(const Comparison& comparison);
/// Hardware efficiency, max(IOU, MFU), by category and strategy; without rows if no roofline is known.
Grid efficiency_grid(const Comparison& comparison);
/// Tasks solved in two precisions, paired; without rows if no task was tried in two.
Grid precisions_grid(const Comparison& comparison);
/// Says how strategies do on quantized tasks; without rows if none was tried.
Grid quantization_grid(const Comparison& comparison);
/// Rank correlations of what is solved with how references are built; without rows if there are none.
Grid structure_grid(const Comparison& comparison);
/// Maintainability and complexity of scored kernels; without rows unless they were measured.
Grid code_grid(const Comparison& comparison);
/// The fastest kernel by task and strategy, and which strategy's is the fastest of all.
Grid tasks_grid(const Comparison& comparison);

/// Summarizes by device the kernels that were timed on several; without rows if there are none.
Grid devices_grid(const Comparison& comparison);
/// Lists each of these kernels, the least portable first.
Grid across_devices_grid(const AcrossDevices& across);

/// Returns all tables in the order above but the last, also those without rows; those of pairs, of differing
/// settings, of the attribution, of efficiency, of precisions, of quantized tasks, of structure, of code and
/// of devices only if there are any.
/// Behind them come those of suite_grids() for each suite that is scored by a rule of its own.
std::vector<Grid> grids(const Comparison& comparison);

}  // namespace ridgeline::compare
