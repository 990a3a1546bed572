// Describes the hardware counters of a GPU's call, with a line for each group of counters.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/core/kernel_launch.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::prompts {

/// One line about counters, and how soon it may go.
struct CounterLine {
  std::string text;
  int rank = 0;  ///< lines of a higher rank are left out first
};

/// Returns lines in the order in which they read best; none if the counters are not a GPU's. `launches` may
/// be of any case: those of this roofline's case are added up by kernel, the longest first.
std::vector<CounterLine> counter_lines(const Roofline& roofline, std::span<const KernelLaunch> launches);

}  // namespace ridgeline::prompts
