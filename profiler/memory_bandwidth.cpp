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
  typedef std::uint64_t Vector __attribute__((vector_size(16)));
  constexpr std::size_t kChains = 8;  // independent, so that the additions never wait for each other
  std::vector<Vector> values(buffer_bytes / sizeof(Vector), Vector{3, 3});
  const double best = fastest(seconds, [&] {
    Vector sums[kChains] = {};
    const Vector* at = values.data();
    for (std::size_t left = values.size() / kChains; left > 0; --left, at += kChains) {
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kChains; ++j) sums[j] += at[j];
    }
    asm volatile("" : : "r"(sums) : "memory");
  });
  return static_cast<double>(buffer_bytes) / best;
}

}  // namespace ridgeline::profiler
