// Draws the charts of a report. Each function returns HTML. "Speed-up" is the baseline's time (eager
// LibTorch) over the kernel's. A trajectory's scored kernel is the candidate that stands for it: its best or
// its last one (Comparison::scoring).
#pragma once

#include <functional>
#include <string>

#include "engine/compare/compare.hpp"

namespace ridgeline::report {

/// Says where a click on something leads; "" for nowhere.
struct Targets {
  std::function<std::string(const compare::TrajectoryResult&)> trajectory;
  std::function<std::string(const std::string&)> task;
};

/// The speed-up and the share solved against each budget that was spent, a view a unit, one curve a strategy
/// with its 95 % interval.
std::string curve_views(const compare::Comparison& comparison);

/// fast_p against p, one curve a strategy.
std::string fast_plot(const compare::Comparison& comparison);

/// Task by task what two strategies keep, a view a pair: above the diagonal the first is faster. At most
/// `most_dots` dots over all views, the largest differences; a line says what is not drawn.
std::string scatter_views(const compare::Comparison& comparison, const Targets& targets);

/// The timed cases of the fastest kernel of each strategy on each task, below the measured ceilings of their
/// device: operations a second against operations a byte of main memory. A view a device; "" if no case has
/// operations, bytes and time. At most `most_dots` dots a device.
std::string roofline_views(const compare::Comparison& comparison, const Targets& targets);

/// The share of trajectories solved up to each round, one curve a strategy.
std::string rounds_plot(const compare::Comparison& comparison);

inline constexpr std::size_t most_dots = 1500;

/// The labels of the strategies, for legends.
std::vector<std::string> labels_of(const compare::Comparison& comparison);

}  // namespace ridgeline::report
