// Summarizes the speed-ups of several kernels.
#pragma once

#include <array>

#include "engine/core/statistics.hpp"

namespace ridgeline::compare {

/// The values of p for fast_p (KernelBench): the share of trajectories whose kernel is correct and more than
/// p times as fast as the baseline. fast_0 is the share that is correct, timed or not.
inline constexpr std::array fast_thresholds{0.0, 0.5, 0.8, 1.0, 1.5, 2.0};

/// Geometric mean over correct, timed kernels, with its 95 % percentile bootstrap interval over tasks.
struct Speed {
  int kernels = 0;  ///< how many kernels it is over
  double mean = 0;  ///< 0 if there is no kernel
  Interval interval;
};

}  // namespace ridgeline::compare
