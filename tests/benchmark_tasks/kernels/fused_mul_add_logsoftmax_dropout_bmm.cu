#include <cstddef>
#include <cstdint>

// What dropout leaves of the logarithms stands in the workspace.

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
__global__ void work_on_row(const float* x, const float* w, const float* other, const float* m,
                            const int64_t* seed, uint8_t* mask, float* y, float* left, int64_t M, int64_t N,
                            int64_t K, double p) {
  const int64_t row = blockIdx.x;
  const float* matrix = m + row / M * K * N;
  float largest = -INFINITY;
  for (int64_t k = threadIdx.x; k < K; k += blockDim.x) {
    const int64_t e = row * K + k;
    left[e] = x[e] * w[e] + other[e];
    largest = fmaxf(largest, left[e]);
  }
  largest = block_max(largest);
  double sum = 0;
  for (int64_t k = threadIdx.x; k < K; k += blockDim.x) sum += expf(left[row * K + k] - largest);
  const double logarithm = log(block_sum(sum));
  for (int64_t k = threadIdx.x; k < K; k += blockDim.x) {
    const int64_t e = row * K + k;
    const bool kept = keeps(seed[0], e, p);
    mask[e] = kept;
    left[e] = kept ? float(left[e] - largest - logarithm) * float(1 / (1 - p)) : 0;
  }
  __syncthreads();
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    float total = 0;
    for (int64_t k = 0; k < K; ++k) total += left[row * K + k] * matrix[k * N + j];
    y[row * N + j] = total;
  }
}

}  // namespace

extern "C" size_t kernel_fused_mul_add_logsoftmax_dropout_bmm_workspace(int64_t B, int64_t M, int64_t,
                                                                        int64_t K) {
  return size_t(B * M * K) * sizeof(float);
}

extern "C" void kernel_fused_mul_add_logsoftmax_dropout_bmm(const float* x, const float* w,
                                                            const float* other, const float* m,
                                                            const int64_t* seed, uint8_t* mask, float* y,
                                                            int64_t B, int64_t M, int64_t N, int64_t K,
                                                            double p, void* workspace, void* stream) {
  if (B * M < 1) return;
  work_on_row<<<B * M, 128, 0, (cudaStream_t)stream>>>(x, w, other, m, seed, mask, y,
                                                       static_cast<float*>(workspace), M, N, K, p);
}
