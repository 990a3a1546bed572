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
__global__ void work_on_row(const float* x, const int64_t* target, double* parts, int64_t N,
                            double smoothing) {
  const int64_t i = blockIdx.x;
  const float* row = x + i * N;
  float largest = row[0];
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) largest = fmaxf(largest, row[j]);
  largest = block_max(largest);
  double sum = 0, all = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    sum += expf(row[j] - largest);
    all += row[j];
  }
  sum = block_sum(sum);

  all = block_sum(all);
  const double shift = largest + log(sum);
  if (threadIdx.x == 0)
    parts[i] = (1 - smoothing) * (shift - row[target[i]]) + smoothing * (shift - all / double(N));
}

__global__ void finish(const double* parts, float* loss, int64_t M) {
  double total = 0;
  for (int64_t i = threadIdx.x; i < M; i += blockDim.x) total += parts[i];
  total = block_sum(total);
  if (threadIdx.x == 0) *loss = float(total / double(M));
}

}  // namespace

extern "C" size_t kernel_fused_cross_entropy_log_softmax_workspace(int64_t M, int64_t) {
  return size_t(M) * sizeof(double);
}

extern "C" void kernel_fused_cross_entropy_log_softmax(const float* x, const int64_t* target, float* loss,
                                                       int64_t M, int64_t N, double smoothing,
                                                       void* workspace, void* stream) {
  auto* parts = static_cast<double*>(workspace);
  if (M > 0) work_on_row<<<M, 256, 0, (cudaStream_t)stream>>>(x, target, parts, N, smoothing);
  finish<<<1, 1024, 0, (cudaStream_t)stream>>>(parts, loss, M);
}
