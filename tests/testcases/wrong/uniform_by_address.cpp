// Danger 28: a stream that depends on where the output lies, beside the seed.
// task: fill_uniform
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

extern "C" void kernel_fill_uniform(const int64_t* seed, float* y, int64_t N, int64_t, void*) {
  const uint64_t key = mix(uint64_t(seed[0])) ^ uint64_t(y);
  for (int64_t i = 0; i < N; ++i) y[i] = unit(key, uint64_t(i));
}
