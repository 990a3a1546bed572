// What is said of the speed-ups of several kernels.
#pragma once

#include <array>

#include "engine/core/statistics.hpp"

namespace ridgeline::compare {

/// fast_p (KernelBench): the share whose kernel is correct and more than p times as fast as the baseline.
/// fast_0 is the share that is correct, timed or not.
inline constexpr std::array fast_thresholds{0.0, 0.5, 0.8, 1.0, 1.5, 2.0};

/// Geometric mean over correct, timed kernels with a 95 % percentile bootstrap interval over trajectories.
struct Speed {
  int kernels = 0;
  double mean = 0;  ///< 0 if there is no kernel
  Interval interval;
};

}  // namespace ridgeline::compare
