// Summarizes the speed-ups of several kernels.
#pragma once

#include <string_view>
#include <vector>

#include "engine/core/statistics.hpp"

namespace ridgeline::compare {

/// Geometric mean over correct, timed kernels, with its 95 % percentile bootstrap interval over tasks.
struct Speed {
  int kernels = 0;  ///< how many kernels it is over
  double mean = 0;  ///< 0 if there is no kernel
  Interval interval;
};

/// A kernel that counts towards a mean.
struct TimedKernel {
  std::string_view task;  ///< kernels of one task are no independent samples
  double speedup = 0;     ///< 0: not timed, left out
};

/// Returns the geometric mean of the positive speed-ups, with its interval over tasks. The bootstrap's seed
/// is fixed, and the order makes no difference, so equal input gives equal figures.
Speed speed_of(std::vector<TimedKernel> kernels);

/// The geometric mean of some kernels over that of others, with its 95 % percentile bootstrap interval over
/// tasks.
struct SpeedRatio {
  double ratio = 0;  ///< 0 if one side has no timed kernel
  Interval interval;
};

/// Draws whole tasks, of both sides together; draws that leave a side without a kernel are left out.
SpeedRatio ratio_of(const std::vector<TimedKernel>& first, const std::vector<TimedKernel>& second);

}  // namespace ridgeline::compare
