// Danger 28: a mask that depends on how many calls there were, beside the seed.
// task: drop
// expect: correctness nondeterministic
#include <cstdint>

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static float unit(uint64_t seed, uint64_t i) {
  return float(mix(mix(seed + 1) + i * 0x9E3779B97F4A7C15u) >> 40) * 0x1p-24f;
}

extern "C" void kernel_drop(const float* x, const int64_t* seed, float* y, int64_t N, void*) {
  static uint64_t calls = 0;
  const uint64_t key = mix(uint64_t(seed[0])) + ++calls;
  for (int64_t i = 0; i < N; ++i) y[i] = unit(key, uint64_t(i)) >= 0.25f ? x[i] / 0.75f : 0;
}
