#include "profiler/cpu_ceilings.hpp"

#include <algorithm>

#include "profiler/cpu_info.hpp"
#include "profiler/memory_bandwidth.hpp"

namespace ridgeline::profiler {
namespace {

/// How long to look.
struct Effort {
  double peak_seconds;
  double cache_seconds;  ///< of one way through one cache
  int memory_rounds;
};
constexpr Effort kFirst{0.03, 0.004, 8};
constexpr Effort kAgain{0.003, 0.0003, 1};

/// Half of the cache, and not so much that others' data in a large one would be met; but what the level
/// before it cannot hold.
std::size_t working_set(std::size_t cache_bytes, std::size_t before) {
  return before == 0 ? cache_bytes / 2 : std::min(cache_bytes / 2, 4 * before);
}

Ceilings measure(const Effort& effort) {
  Ceilings ceilings;
  ceilings.device = cpu_name() + ", 1 thread";
  ceilings.threads = 1;
  ceilings.cache_bytes = static_cast<double>(last_level_cache_bytes());
  std::size_t before = 0;
  for (const auto& cache : cache_levels()) {
    ceilings.levels.push_back(measure_cache(cache, working_set(cache.bytes, before), effort.cache_seconds));
    before = cache.bytes;
  }
  if (!ceilings.levels.empty()) ceilings.cache_bandwidth = ceilings.levels.back().read;
  const auto memory = measure_memory(effort.memory_rounds);
  ceilings.bandwidth = std::max({memory.read, memory.written, memory.both});
  ceilings.levels.push_back(memory);
  ceilings.peaks = {{"fp32", measure_fp32_peak(effort.peak_seconds)},
                    {"fp64", measure_fp64_peak(effort.peak_seconds)},
                    {"int8", measure_int8_peak(effort.peak_seconds)}};
  return ceilings;
}

}  // namespace

Ceilings measure_cpu_ceilings() {
  return measure(kFirst);
}

void look_again(Ceilings& known) {
  raise(known, measure(kAgain));
}

void raise(Ceilings& known, const Ceilings& seen) {
  const auto raised = [](double& figure, double other) { figure = std::max(figure, other); };
  raised(known.bandwidth, seen.bandwidth);
  raised(known.cache_bandwidth, seen.cache_bandwidth);
  for (std::size_t i = 0; i < std::min(known.levels.size(), seen.levels.size()); ++i) {
    raised(known.levels[i].read, seen.levels[i].read);
    raised(known.levels[i].written, seen.levels[i].written);
    raised(known.levels[i].both, seen.levels[i].both);
  }
  for (std::size_t i = 0; i < std::min(known.peaks.size(), seen.peaks.size()); ++i)
    raised(known.peaks[i].operations_per_second, seen.peaks[i].operations_per_second);
}

double theoretical_bandwidth(const Ceilings& ceilings) {
  return 2 * ceilings.bandwidth;
}

}  // namespace ridgeline::profiler
