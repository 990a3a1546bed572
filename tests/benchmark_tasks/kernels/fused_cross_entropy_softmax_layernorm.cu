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

// A block a row; its loss goes into losses.
__global__ void normalize(const float* x, const int64_t* target, float* y, double* losses, int64_t N,
                          double eps) {
  const int64_t i = blockIdx.x;
  const float* row = x + i * N;
  float largest = row[0];
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) largest = fmaxf(largest, row[j]);
  largest = block_max(largest);
  double sum = 0, squares = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += y[i * N + j] = expf(row[j] - largest);
  sum = block_sum(sum);
  if (threadIdx.x == 0) losses[i] = largest + log(sum) - row[target[i]];
  const double mean = 1 / double(N);  // probabilities sum to one
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    const double centred = y[i * N + j] / sum - mean;
    squares += centred * centred;
  }
  const double inverse = 1 / sqrt(block_sum(squares) * mean + eps);
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x)
    y[i * N + j] = float((y[i * N + j] / sum - mean) * inverse);
}

__global__ void average(const double* losses, float* loss, int64_t M) {
  double total = 0;
  for (int64_t i = threadIdx.x; i < M; i += blockDim.x) total += losses[i];
  total = block_sum(total);
  if (threadIdx.x == 0) *loss = float(total / double(M));
}

}  // namespace

extern "C" size_t kernel_fused_cross_entropy_softmax_layernorm_workspace(int64_t M, int64_t) {
  return size_t(M) * sizeof(double);
}

extern "C" void kernel_fused_cross_entropy_softmax_layernorm(const float* x, const int64_t* target,
                                                             float* loss, float* y, int64_t M, int64_t N,
                                                             double eps, void* workspace, void* stream) {
  auto* losses = static_cast<double*>(workspace);
  if (M * N > 0) normalize<<<M, 256, 0, (cudaStream_t)stream>>>(x, target, y, losses, N, eps);
  average<<<1, 1024, 0, (cudaStream_t)stream>>>(losses, loss, M);
}
