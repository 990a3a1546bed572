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

// A block a row.
__global__ void repeat_row(const float* x, float* y, int64_t N, int64_t repeats) {
  const int64_t i = blockIdx.x;
  const float* row = x + i * N;
  float largest = row[0];
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) largest = fmaxf(largest, row[j]);
  largest = block_max(largest);
  double sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += expf(row[j] - largest);
  const double logarithm = log(block_sum(sum) * double(repeats));
  for (int64_t k = threadIdx.x; k < N * repeats; k += blockDim.x)
    y[i * N * repeats + k] = float(row[k / repeats] - largest - logarithm);
}

}  // namespace

extern "C" void kernel_fused_repeat_interleave_log_softmax(const float* x, float* y, int64_t M, int64_t N,
                                                           int64_t, int64_t repeats, void* stream) {
  if (M * N < 1) return;
  repeat_row<<<M, 256, 0, (cudaStream_t)stream>>>(x, y, N, repeats);
}
