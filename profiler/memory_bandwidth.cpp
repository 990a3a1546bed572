#include <cstdint>
#include <cstring>
#include <vector>

#include "profiler/best_of.hpp"
#include "profiler/cpu_ceilings.hpp"

namespace ridgeline::profiler {

double measure_copy_bandwidth(std::size_t buffer_bytes, double seconds) {
  std::vector<char> from(buffer_bytes, 1);
  std::vector<char> to(buffer_bytes, 2);  // both written once: page faults stay out of the measure
  const double best = fastest(seconds, [&] {
    std::memcpy(to.data(), from.data(), buffer_bytes);
    asm volatile("" : : "r"(to.data()) : "memory");
  });
  return 2.0 * static_cast<double>(buffer_bytes) / best;
}

double measure_read_bandwidth(std::size_t buffer_bytes, double seconds) {
  const std::size_t count = buffer_bytes / sizeof(std::uint64_t);
  std::vector<std::uint64_t> values(count, 3);
  const double best = fastest(seconds, [&] {
    std::uint64_t sums[8] = {};  // independent, so that the additions never wait for each other
    for (std::size_t i = 0; i + 8 <= count; i += 8)
      for (std::size_t j = 0; j < 8; ++j) sums[j] += values[i + j];
    asm volatile("" : : "r"(sums) : "memory");
  });
  return static_cast<double>(buffer_bytes) / best;
}

}  // namespace ridgeline::profiler
