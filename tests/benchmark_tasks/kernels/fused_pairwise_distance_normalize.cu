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
__global__ void work_on_row(const float* x1, const float* x2, float* y, int64_t N, double eps) {
  const int64_t i = blockIdx.x;
  const float *first = x1 + i * N, *second = x2 + i * N;
  double one = 0, other = 0, squares = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    one += double(first[j]) * first[j];
    other += double(second[j]) * second[j];
  }
  one = fmax(sqrt(block_sum(one)), 1e-12);
  other = fmax(sqrt(block_sum(other)), 1e-12);
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    const double difference = first[j] / one - second[j] / other + eps;
    squares += difference * difference;
  }
  squares = block_sum(squares);
  if (threadIdx.x == 0) y[i] = float(sqrt(squares));
}

}  // namespace

extern "C" void kernel_fused_pairwise_distance_normalize(const float* x1, const float* x2, float* y,
                                                         int64_t M, int64_t N, double eps, void* stream) {
  if (M < 1) return;
  work_on_row<<<M, 256, 0, (cudaStream_t)stream>>>(x1, x2, y, N, eps);
}
