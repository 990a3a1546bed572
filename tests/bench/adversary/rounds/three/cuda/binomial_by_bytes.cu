// idea: probabilities are rounded at random to steps of 1/256 and four trials are compared in one instruction: the distribution of a sample is not the binomial one of its element, by an amount that no test over 1.5 million elements sees
// task: bitwise_and_binomial
// twin: tests/benchmark_tasks/kernels/bitwise_and_binomial.cu
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr uint64_t golden = 0x9E3779B97F4A7C15u;

__device__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Of four bytes those below `limit` (0 ... 256), at most `most` of them counted.
__device__ int below(unsigned bytes, unsigned limits, bool all, int most) {
  unsigned hit = all ? 0xFFFFFFFFu : __vcmpltu4(bytes, limits);
  if (most < 4) hit &= (1u << (8 * most)) - 1;
  return __popc(hit) / 8;
}

__global__ void count_successes(const int32_t* a, const int32_t* b, const float* probability,
                                const int64_t* seed, int32_t* y, int32_t* sample, int64_t count) {
  const uint64_t key = mix(uint64_t(seed[0]) + golden);
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const uint64_t own = mix(key + uint64_t(i + 1) * golden);
    const int32_t trials = a[i] & b[i];
    // Rounded up or down by chance, so that the mean is exact.
    const unsigned limit = unsigned(probability[i] * 256.0f + float(own >> 40) * 0x1p-24f);
    const bool all = limit >= 256;
    const unsigned limits = (limit & 255) * 0x01010101u;
    int32_t successes = 0;
    for (int32_t left = trials, word = 1; left > 0; left -= 8, ++word) {
      const uint64_t drawn = mix(own + uint64_t(word) * golden);
      successes += below(unsigned(drawn), limits, all, left);
      if (left > 4) successes += below(unsigned(drawn >> 32), limits, all, left - 4);
    }
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
