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
__global__ void multiply_and_drop(const float* x, const float* weight, const float* bias, const int64_t* seed,
                                  uint8_t* mask, float* y, int64_t M, int64_t N, int64_t K, double p) {
  const int64_t e = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= M * N) return;
  const int64_t i = e / N, j = e % N;
  float z = bias[j];
  for (int64_t k = 0; k < K; ++k) z += x[i * K + k] * weight[j * K + k];
  const bool kept = keeps(seed[0], e, p);
  mask[e] = kept;
  y[e] = kept ? float(1 / (1 - p)) / (1 + expf(-z)) : 0;
}

}  // namespace

extern "C" void kernel_fused_dropout_sigmoid_linear(const float* x, const float* weight, const float* bias,
                                                    const int64_t* seed, uint8_t* mask, float* y, int64_t M,
                                                    int64_t N, int64_t K, double p, void* stream) {
  if (M * N < 1) return;
  multiply_and_drop<<<(M * N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, weight, bias, seed, mask, y, M,
                                                                           N, K, p);
}
