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
__global__ void multiply(const float* a, const float* x, float* y, int64_t N, double alpha, double beta) {
  const int64_t i = blockIdx.x;
  double sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += double(a[i * N + j]) * x[j];
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[i] = float(alpha * sum + beta * y[i]);
}

__global__ void take_dot(const float* x, const float* y, float* dot, int64_t N) {
  double sum = 0;
  for (int64_t i = threadIdx.x; i < N; i += blockDim.x) sum += double(y[i]) * x[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *dot = float(sum);
}

}  // namespace

extern "C" void kernel_matrix_vector_dot(const float* a, const float* x, float* y, float* dot, int64_t N,
                                         double alpha, double beta, void* stream) {
  if (N > 0) multiply<<<N, 256, 0, (cudaStream_t)stream>>>(a, x, y, N, alpha, beta);
  take_dot<<<1, 1024, 0, (cudaStream_t)stream>>>(x, y, dot, N);
}
