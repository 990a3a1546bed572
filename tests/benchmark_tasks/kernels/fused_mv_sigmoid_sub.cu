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

// A block a row.
__global__ void work_on_row(const float* a, const float* v, const float* b, float* y, int64_t N,
                            double alpha) {
  const int64_t i = blockIdx.x;
  double sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += double(a[i * N + j]) * v[j];
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[i] = float(1 / (1 + exp(-sum)) - alpha * b[i]);
}

}  // namespace

extern "C" void kernel_fused_mv_sigmoid_sub(const float* a, const float* v, const float* b, float* y,
                                            int64_t M, int64_t N, double alpha, void* stream) {
  if (M < 1) return;
  work_on_row<<<M, 256, 0, (cudaStream_t)stream>>>(a, v, b, y, N, alpha);
}
