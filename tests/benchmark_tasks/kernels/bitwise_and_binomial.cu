#include <cstdint>

namespace {

constexpr uint64_t golden = 0x9E3779B97F4A7C15u;

/// SplitMix64 as a function of a counter (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
__device__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// A thread an element, which has a key of its own; each of its trials has a number.
__global__ void count_successes(const int32_t* a, const int32_t* b, const float* probability,
                                const int64_t* seed, int32_t* y, int32_t* sample, int64_t count) {
  const uint64_t key = mix(uint64_t(seed[0]) + golden);
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const uint64_t own = mix(key + uint64_t(i + 1) * golden);
    const int32_t trials = a[i] & b[i];
    const double p = probability[i];
    int32_t successes = 0;
    for (int32_t trial = 0; trial < trials; ++trial)
      successes += double(mix(own + uint64_t(trial + 1) * golden) >> 11) * 0x1p-53 < p;
    y[i] = trials;
    sample[i] = successes;
  }
}

}  // namespace

extern "C" void kernel_bitwise_and_binomial(const int32_t* a, const int32_t* b, const float* probability,
                                            const int64_t* seed, int32_t* y, int32_t* sample, int64_t N,
                                            void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  count_successes<<<blocks, 256, 0, (cudaStream_t)stream>>>(a, b, probability, seed, y, sample, N);
}
