#include <cstdint>

namespace {

constexpr uint64_t golden = 0x9E3779B97F4A7C15u;

/// SplitMix64 as a function of a counter (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

extern "C" void kernel_bitwise_and_binomial(const int32_t* a, const int32_t* b, const float* probability,
                                            const int64_t* seed, int32_t* y, int32_t* sample, int64_t N,
                                            void*) {
  const uint64_t key = mix(static_cast<uint64_t>(seed[0]) + golden);
  for (int64_t i = 0; i < N; ++i) {
    // An element has a key of its own, and each of its trials a number.
    const uint64_t own = mix(key + static_cast<uint64_t>(i + 1) * golden);
    y[i] = a[i] & b[i];
    sample[i] = 0;
    for (int32_t trial = 0; trial < y[i]; ++trial) {
      const uint64_t bits = mix(own + static_cast<uint64_t>(trial + 1) * golden);
      sample[i] += static_cast<double>(bits >> 11) * 0x1p-53 < static_cast<double>(probability[i]);
    }
  }
}
