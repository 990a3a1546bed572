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

// A block a row.
__global__ void work_on_row(const float* x, double* parts, int64_t N) {
  const int64_t i = blockIdx.x;
  double sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += x[i * N + j];
  sum = block_sum(sum);
  if (threadIdx.x == 0) parts[i] = sum;
}

__global__ void finish(const double* parts, float* y, int64_t M) {
  double total = 0, squares = 0;
  for (int64_t i = threadIdx.x; i < M; i += blockDim.x) total += parts[i];
  const double mean = block_sum(total) / double(M);
  for (int64_t i = threadIdx.x; i < M; i += blockDim.x) squares += (parts[i] - mean) * (parts[i] - mean);
  squares = block_sum(squares);
  if (threadIdx.x == 0) *y = float(sqrt(squares / double(M - 1)));
}

}  // namespace

extern "C" size_t kernel_fused_sum_std_workspace(int64_t M, int64_t) {
  return size_t(M) * sizeof(double);
}

extern "C" void kernel_fused_sum_std(const float* x, float* y, int64_t M, int64_t N, void* workspace,
                                     void* stream) {
  auto* parts = static_cast<double*>(workspace);
  if (M > 0) work_on_row<<<M, 256, 0, (cudaStream_t)stream>>>(x, parts, N);
  finish<<<1, 1024, 0, (cudaStream_t)stream>>>(parts, y, M);
}
