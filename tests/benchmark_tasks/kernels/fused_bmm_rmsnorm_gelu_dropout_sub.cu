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

/// The sum over the block, for every thread of it.
__device__ double block_sum(double value) {
  __shared__ double parts[32];
  for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, reach);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) value += parts[warp];
  __syncthreads();
  return value;
}

// A block a row.
__global__ void work_on_row(const float* x, const float* w, const float* other, const int64_t* seed,
                            uint8_t* mask, float* y, int64_t M, int64_t N, int64_t K, double p, double eps) {
  const int64_t row = blockIdx.x;
  const float* matrix = w + row / M * K * N;
  double squares = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    float z = 0;
    for (int64_t k = 0; k < K; ++k) z += x[row * K + k] * matrix[k * N + j];
    y[row * N + j] = z;
    squares += double(z) * z;
  }
  const float inverse = float(1 / sqrt(block_sum(squares) / double(N) + eps));
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    const int64_t e = row * N + j;
    const float n = y[e] * inverse;
    const bool kept = keeps(seed[0], e, p);
    mask[e] = kept;
    y[e] = (kept ? 0.5f * n * erfcf(-0.70710678f * n) * float(1 / (1 - p)) : 0) - other[e];
  }
}

}  // namespace

extern "C" void kernel_fused_bmm_rmsnorm_gelu_dropout_sub(const float* x, const float* w, const float* other,
                                                          const int64_t* seed, uint8_t* mask, float* y,
                                                          int64_t B, int64_t M, int64_t N, int64_t K,
                                                          double p, double eps, void* stream) {
  if (B * M * N < 1) return;
  work_on_row<<<B * M, 256, 0, (cudaStream_t)stream>>>(x, w, other, seed, mask, y, M, N, K, p, eps);
}
