// Hardware counters of a GPU's call in words, a line a group.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/core/kernel_launch.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::prompts {

struct CounterLine {
  std::string text;
  int rank = 0;  ///< 0 is the last to be left out
};

/// In the order in which they read best; empty where the counters are not those of a GPU. `launches` of any
/// case: those of this one are taken, added up by kernel, the longest first.
std::vector<CounterLine> counter_lines(const Roofline& one, std::span<const KernelLaunch> launches);

}  // namespace ridgeline::prompts
