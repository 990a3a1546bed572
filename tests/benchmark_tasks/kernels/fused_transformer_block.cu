#include <cstddef>
#include <cstdint>

// The weights of each row stand in the workspace.

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

/// The maximum over the block, for every thread of it.
__device__ float block_max(float value) {
  __shared__ float parts[32];
  for (int reach = 16; reach > 0; reach /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFu, value, reach));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) value = fmaxf(value, parts[warp]);
  __syncthreads();
  return value;
}

// A block a row.
__global__ void work_on_row(const float* x, const float* w1, const float* w2, const float* residual,
                            const int64_t* seed, uint8_t* mask, float* y, float* weights, int64_t D,
                            int64_t K, int64_t N, double p, double eps) {
  const int64_t row = blockIdx.x;
  float* weight = weights + row * K;
  float largest = -INFINITY;
  for (int64_t k = threadIdx.x; k < K; k += blockDim.x) {
    float score = 0;
    for (int64_t d = 0; d < D; ++d) score += x[row * D + d] * w1[d * K + k];
    weight[k] = score;
    largest = fmaxf(largest, score);
  }
  largest = block_max(largest);
  double sum = 0;
  for (int64_t k = threadIdx.x; k < K; k += blockDim.x) sum += weight[k] = expf(weight[k] - largest);
  const float total = float(block_sum(sum) * (1 - p));
  for (int64_t k = threadIdx.x; k < K; k += blockDim.x) {
    const bool kept = keeps(seed[0], row * K + k, p);
    mask[row * K + k] = kept;
    weight[k] = kept ? weight[k] / total : 0;
  }
  __syncthreads();
  float* z = y + row * N;
  double mean = 0, squares = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    float element = 0;
    for (int64_t k = 0; k < K; ++k) element += weight[k] * w2[k * N + j];
    z[j] = element + residual[row * N + j];
    mean += z[j];
  }
  mean = block_sum(mean) / double(N);
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) squares += (z[j] - mean) * (z[j] - mean);
  const double inverse = 1 / sqrt(block_sum(squares) / double(N) + eps);
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) z[j] = float((z[j] - mean) * inverse);
}

}  // namespace

extern "C" size_t kernel_fused_transformer_block_workspace(int64_t B, int64_t S, int64_t, int64_t K,
                                                           int64_t) {
  return size_t(B * S * K) * sizeof(float);
}

extern "C" void kernel_fused_transformer_block(const float* x, const float* w1, const float* w2,
                                               const float* residual, const int64_t* seed, uint8_t* mask,
                                               float* y, int64_t B, int64_t S, int64_t D, int64_t K,
                                               int64_t N, double p, double eps, void* workspace,
                                               void* stream) {
  if (B * S < 1) return;
  work_on_row<<<B * S, 256, 0, (cudaStream_t)stream>>>(x, w1, w2, residual, seed, mask, y,
                                                       static_cast<float*>(workspace), D, K, N, p, eps);
}
