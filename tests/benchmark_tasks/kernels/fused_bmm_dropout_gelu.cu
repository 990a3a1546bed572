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

// A thread an element.
__global__ void multiply_and_drop(const float* x, const float* w, const int64_t* seed, uint8_t* mask,
                                  float* y, int64_t count, int64_t M, int64_t N, int64_t K, double p) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int64_t row = e / N, b = row / M, j = e % N;
  float z = 0;
  for (int64_t k = 0; k < K; ++k) z += x[row * K + k] * w[(b * K + k) * N + j];
  const bool kept = keeps(seed[0], e, p);
  const float d = kept ? z * float(1 / (1 - p)) : 0;
  mask[e] = kept;
  y[e] = 0.5f * d * erfcf(-0.70710678f * d);
}

}  // namespace

extern "C" void kernel_fused_bmm_dropout_gelu(const float* x, const float* w, const int64_t* seed,
                                              uint8_t* mask, float* y, int64_t B, int64_t M, int64_t N,
                                              int64_t K, double p, void* stream) {
  const int64_t count = B * M * N;
  if (count < 1) return;
  multiply_and_drop<<<(count + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, w, seed, mask, y, count, M, N,
                                                                           K, p);
}
