#include "profiler/cpu_ceilings.hpp"

#include <algorithm>

#include "profiler/cpu_info.hpp"
#include "profiler/memory_bandwidth.hpp"

namespace ridgeline::profiler {
namespace {

/// How long to measure each figure.
struct Effort {
  double peak_seconds;
  double cache_seconds;  ///< for each pass function on each cache
  int memory_rounds;
};
constexpr Effort kFirst{0.03, 0.004, 8};
constexpr Effort kAgain{0.003, 0.0003, 1};

/// Half of the cache, so that other data can stay in it; of a large cache, only as much as the level before
/// it cannot hold.
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

void remeasure(Ceilings& known) {
  raise_to(known, measure(kAgain));
}

void raise_to(Ceilings& known, const Ceilings& measured) {
  const auto keep_larger = [](double& figure, double other) { figure = std::max(figure, other); };
  keep_larger(known.bandwidth, measured.bandwidth);
  keep_larger(known.cache_bandwidth, measured.cache_bandwidth);
  for (std::size_t i = 0; i < std::min(known.levels.size(), measured.levels.size()); ++i) {
    keep_larger(known.levels[i].read, measured.levels[i].read);
    keep_larger(known.levels[i].written, measured.levels[i].written);
    keep_larger(known.levels[i].both, measured.levels[i].both);
  }
  for (std::size_t i = 0; i < std::min(known.peaks.size(), measured.peaks.size()); ++i)
    keep_larger(known.peaks[i].operations_per_second, measured.peaks[i].operations_per_second);
}

double theoretical_bandwidth(const Ceilings& ceilings) {
  return 2 * ceilings.bandwidth;
}

}  // namespace ridgeline::profiler
