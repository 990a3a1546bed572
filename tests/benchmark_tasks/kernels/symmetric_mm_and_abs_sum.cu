#include <cstddef>
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

// A block a row of the product; a thread some of its elements.
__global__ void row_sums(const float* a, const float* c, double* sums, int64_t N, int64_t K, float alpha,
                         float beta) {
  const int64_t i = blockIdx.x;
  double total = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    float sum = 0;
    for (int64_t k = 0; k < K; ++k) sum += a[i * K + k] * a[j * K + k];
    total += fabsf(alpha * sum + beta * c[i * N + j]);
  }
  total = block_sum(total);
  if (threadIdx.x == 0) sums[i] = total;
}

__global__ void add_up(const double* sums, float* y, int64_t N) {
  double total = 0;
  for (int64_t i = threadIdx.x; i < N; i += blockDim.x) total += sums[i];
  total = block_sum(total);
  if (threadIdx.x == 0) *y = float(total);
}

}  // namespace

extern "C" size_t kernel_symmetric_mm_and_abs_sum_workspace(int64_t N, int64_t) {
  return size_t(N) * sizeof(double);
}

extern "C" void kernel_symmetric_mm_and_abs_sum(const float* a, const float* c, float* y, int64_t N,
                                                int64_t K, double alpha, double beta, void* workspace,
                                                void* stream) {
  auto* sums = static_cast<double*>(workspace);
  if (N > 0) row_sums<<<N, 256, 0, (cudaStream_t)stream>>>(a, c, sums, N, K, float(alpha), float(beta));
  add_up<<<1, 1024, 0, (cudaStream_t)stream>>>(sums, y, N);
}
