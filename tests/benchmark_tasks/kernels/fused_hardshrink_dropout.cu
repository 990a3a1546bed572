#include <cstdint>

namespace {

/// SplitMix64 as a function of a counter (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
__device__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Whether dropout keeps element e: with probability 1 - p.
__device__ bool keeps(int64_t seed, int64_t e, double p) {
  constexpr uint64_t golden = 0x9E3779B97F4A7C15u;
  const uint64_t key = mix(uint64_t(seed) + golden);
  return double(mix(key + uint64_t(e + 1) * golden) >> 11) * 0x1p-53 >= p;
}

__global__ void drop_and_shrink(const float* x, const int64_t* seed, uint8_t* mask, float* y, int64_t count,
                                double p, float lambd) {
  const float scale = float(1 / (1 - p));
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const bool kept = keeps(seed[0], i, p);
    const float d = kept ? x[i] * scale : 0;
    mask[i] = kept;
    y[i] = fabsf(d) > lambd ? d : 0;
  }
}

}  // namespace

extern "C" void kernel_fused_hardshrink_dropout(const float* x, const int64_t* seed, uint8_t* mask, float* y,
                                                int64_t N, double p, double lambd, void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  drop_and_shrink<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, seed, mask, y, N, p, float(lambd));
}
