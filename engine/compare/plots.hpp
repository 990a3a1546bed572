// Draws the charts of a report that compares strategies. Each function returns one or more <svg> elements, to
// be put into HTML. "Speed-up" is the baseline's time (eager LibTorch) over the kernel's. A trajectory's
// scored kernel is the candidate that stands for it: its best or its last one (Comparison::scoring).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Draws fast_p against p, one curve per strategy. fast_p is the share of trajectories whose scored kernel is
/// correct and more than p times as fast as the baseline; at p = 0 all correct kernels count, also those
/// without a time.
std::string fast_plot(const Comparison& comparison);

/// Draws a table of cells, one row per category of tasks and one column per strategy. A cell's colour and
/// text are the share of trajectories whose scored kernel is correct; a grey cell has no trajectories.
std::string category_plot(const Comparison& comparison);

/// Draws the geometric mean of speed-ups over all trajectories (CurvePoint::speedup; a trajectory without a
/// faster kernel counts 1) against the budget that each trajectory may spend, one curve per strategy. The
/// budget is in Comparison::unit: calls, tokens, USD, evaluations or seconds.
std::string budget_plot(const Comparison& comparison);

/// Draws the timed cases of scored kernels that are correct as dots below the measured ceilings of their
/// device: operations per second against operations per byte of main memory, both axes logarithmic. Draws one
/// chart per device, since each has its own ceilings. Returns pairs of device (RooflinePoint::device, "NVIDIA
/// H200") and chart, ordered by device. Leaves out cases whose operations, bytes or time are unknown; returns
/// an empty vector if none is left.
std::vector<std::pair<std::string, std::string>> roofline_plots(const Comparison& comparison);

}  // namespace ridgeline::compare
