#include <cstdint>

namespace {

/// SplitMix64 as a function of a counter (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014).
__device__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

__global__ void fill(const int64_t* seed, float* y, int64_t N) {
  constexpr uint64_t golden = 0x9E3779B97F4A7C15u;
  const uint64_t key = mix(uint64_t(seed[0]) + golden);
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step)
    y[i] = float(mix(key + uint64_t(i + 1) * golden) >> 40) * 0x1p-24f;
}

}  // namespace

extern "C" void kernel_rand(const int64_t* seed, float* y, int64_t N, int64_t, void* stream) {
  if (N < 1) return;
  const int64_t blocks = min((N + 255) / 256, int64_t{65536});
  fill<<<blocks, 256, 0, (cudaStream_t)stream>>>(seed, y, N);
}
