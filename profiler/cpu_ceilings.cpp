#include "profiler/cpu_ceilings.hpp"

#include <algorithm>

#include "profiler/cpu_info.hpp"

namespace ridgeline::profiler {

namespace {
constexpr std::size_t kMostBuffer = std::size_t{192}
                                    << 20;  // machines report shared caches of hundreds of MiB
constexpr double kPeakSeconds = 0.03;
constexpr double kBandwidthSeconds = 0.12;
}  // namespace

Ceilings measure_cpu_ceilings() {
  const std::size_t cache = last_level_cache_bytes();
  Ceilings ceilings;
  ceilings.device = cpu_name() + ", 1 thread";
  ceilings.threads = 1;
  ceilings.cache_bytes = static_cast<double>(cache);
  ceilings.bandwidth =
      measure_copy_bandwidth(std::clamp(3 * cache, std::size_t{32} << 20, kMostBuffer), kBandwidthSeconds);
  ceilings.cache_bandwidth = measure_read_bandwidth(std::min(cache / 2, kMostBuffer), kPeakSeconds);
  ceilings.peaks = {{"fp32", measure_fp32_peak(kPeakSeconds)},
                    {"fp64", measure_fp64_peak(kPeakSeconds)},
                    {"int8", measure_int8_peak(kPeakSeconds)}};
  return ceilings;
}

double theoretical_bandwidth(const Ceilings& ceilings) {
  return 3 * ceilings.bandwidth;
}

}  // namespace ridgeline::profiler
