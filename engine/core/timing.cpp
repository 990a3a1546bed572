#include "engine/core/timing.hpp"

#include <algorithm>

#include "engine/core/statistics.hpp"

namespace ridgeline {

namespace {

std::vector<double> quotients(const CaseTiming& one) {
  std::vector<double> found;
  for (std::size_t i = 0; i < std::min(one.cold.samples.size(), one.baseline_cold.samples.size()); ++i)
    if (one.cold.samples[i] > 0) found.push_back(one.baseline_cold.samples[i] / one.cold.samples[i]);
  return found;
}

}  // namespace

void score(Timing& timing) {
  std::vector<double> middle, low, high;
  for (auto& one : timing.cases) {
    if (one.cold.median <= 0 || one.cold.low <= 0 || one.cold.high <= 0) continue;
    one.speedup = one.baseline_cold.median / one.cold.median;
    one.speedup_low = one.baseline_cold.low / one.cold.high;
    one.speedup_high = one.baseline_cold.high / one.cold.low;
    if (one.in_turns) {
      const auto speedups = quotients(one);
      const auto interval = median_interval(speedups);
      one.speedup = median(speedups);
      one.speedup_low = interval.low;
      one.speedup_high = interval.high;
    }
    middle.push_back(one.speedup);
    low.push_back(one.speedup_low);
    high.push_back(one.speedup_high);
  }
  timing.speedup = geometric_mean(middle);
  timing.speedup_low = geometric_mean(low);
  timing.speedup_high = geometric_mean(high);
}

}  // namespace ridgeline
