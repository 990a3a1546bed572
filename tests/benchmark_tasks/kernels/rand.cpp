#include <cstdint>

namespace {

/// SplitMix64 as a function of a counter (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

extern "C" void kernel_rand(const int64_t* seed, float* y, int64_t N, int64_t, void*) {
  const uint64_t key = mix(static_cast<uint64_t>(seed[0]) + 0x9E3779B97F4A7C15u);
  for (int64_t i = 0; i < N; ++i) {
    const uint64_t bits = mix(key + static_cast<uint64_t>(i + 1) * 0x9E3779B97F4A7C15u);
    y[i] = static_cast<float>(bits >> 40) * 0x1p-24f;
  }
}
