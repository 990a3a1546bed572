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

// A block a row; the mean first, so that no digits cancel.
__global__ void deviations(const float* x, float* y, int64_t M, int64_t N) {
  for (int64_t i = blockIdx.x; i < M; i += gridDim.x) {
    const float* row = x + i * N;
    double sum = 0, squares = 0;
    for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += row[j];
    const double mean = block_sum(sum) / double(N);
    for (int64_t j = threadIdx.x; j < N; j += blockDim.x) squares += (row[j] - mean) * (row[j] - mean);
    squares = block_sum(squares);
    if (threadIdx.x == 0) y[i] = float(sqrt(squares / double(N - 1)));
  }
}

}  // namespace

extern "C" void kernel_std(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  if (M < 1) return;
  const int64_t blocks = min(M, int64_t{65536});
  deviations<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, M, N);
}
