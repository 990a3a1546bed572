#include <cstdint>

namespace {

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

// A block a row: its products, then their logarithm of softmax.
__global__ void row_of_logarithms(const float* x, const float* weight, const float* bias, float* y, int64_t N,
                                  int64_t K) {
  const int64_t i = blockIdx.x;
  float* row = y + i * N;
  float largest = -INFINITY;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    float z = bias[j];
    for (int64_t k = 0; k < K; ++k) z += x[i * K + k] * weight[j * K + k];
    row[j] = z;
    largest = fmaxf(largest, z);
  }
  largest = block_max(largest);
  double sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += expf(row[j] - largest);
  const double logarithm = log(block_sum(sum));
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) row[j] = float(row[j] - largest - logarithm);
}

}  // namespace

extern "C" void kernel_fused_log_softmax_linear(const float* x, const float* weight, const float* bias,
                                                float* y, int64_t M, int64_t N, int64_t K, void* stream) {
  if (M * N < 1) return;
  row_of_logarithms<<<M, 256, 0, (cudaStream_t)stream>>>(x, weight, bias, y, N, K);
}
