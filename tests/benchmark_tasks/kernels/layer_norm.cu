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
__global__ void normalize(const float* x, const float* weight, const float* bias, float* y, int64_t M,
                          int64_t N, double eps) {
  for (int64_t i = blockIdx.x; i < M; i += gridDim.x) {
    const float* row = x + i * N;
    double sum = 0, squares = 0;
    for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += row[j];
    const double mean = block_sum(sum) / double(N);
    for (int64_t j = threadIdx.x; j < N; j += blockDim.x) squares += (row[j] - mean) * (row[j] - mean);
    const double inverse = 1 / sqrt(block_sum(squares) / double(N) + eps);
    for (int64_t j = threadIdx.x; j < N; j += blockDim.x)
      y[i * N + j] = weight[j] * float((row[j] - mean) * inverse) + bias[j];
  }
}

}  // namespace

extern "C" void kernel_layer_norm(const float* x, const float* weight, const float* bias, float* y, int64_t M,
                                  int64_t N, double eps, void* stream) {
  if (M < 1) return;
  const int64_t blocks = min(M, int64_t{65536});
  const int threads = N > 8192 ? 1024 : 256;
  normalize<<<blocks, threads, 0, (cudaStream_t)stream>>>(x, weight, bias, y, M, N, eps);
}
