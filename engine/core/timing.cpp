#include "engine/core/timing.hpp"

#include "engine/core/statistics.hpp"

namespace ridgeline {

bool is_interleaved(const CaseTiming& timing) {
  // Stored verdicts have no field for it. An interval of width 0 around several samples says so: samples of a
  // baseline timed by itself spread.
  const auto& baseline = timing.baseline_cold;
  return baseline.median > 0 && baseline.samples.size() > 1 && baseline.low == baseline.high;
}

void score(Timing& timing) {
  std::vector<double> middle, low, high;
  for (auto& one : timing.cases) {
    // A case without a time (refused, or the timer too coarse) takes no part, rather than count as infinite.
    if (one.cold.median <= 0 || one.cold.low <= 0 || one.cold.high <= 0) continue;
    one.speedup = one.baseline_cold.median / one.cold.median;
    // Opposite ends of the two intervals: the least and the most that both together allow.
    one.speedup_low = one.baseline_cold.low / one.cold.high;
    one.speedup_high = one.baseline_cold.high / one.cold.low;
    middle.push_back(one.speedup);
    low.push_back(one.speedup_low);
    high.push_back(one.speedup_high);
  }
  timing.speedup = geometric_mean(middle);
  timing.speedup_low = geometric_mean(low);
  timing.speedup_high = geometric_mean(high);
}

}  // namespace ridgeline
