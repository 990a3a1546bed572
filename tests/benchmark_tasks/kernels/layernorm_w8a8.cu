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
__global__ void normalize(const float* x, const float* weight, const float* bias, float* y, int64_t N,
                          double eps) {
  const float* row = x + blockIdx.x * N;
  float* out = y + blockIdx.x * N;
  double sum = 0, squares = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += row[j];
  const double mean = block_sum(sum) / double(N);
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) squares += (row[j] - mean) * (row[j] - mean);
  const double inverse = 1 / sqrt(block_sum(squares) / double(N) + eps);
  float largest = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    out[j] = weight[j] * float((row[j] - mean) * inverse) + bias[j];
    largest = fmaxf(largest, fabsf(out[j]));
  }
  const float scale = fmaxf(block_max(largest) / 127, 1e-12f);
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x)
    out[j] = scale * fminf(fmaxf(rintf(out[j] / scale), -127.0f), 127.0f);
}

}  // namespace

extern "C" void kernel_layernorm_w8a8(const float* x, const float* weight, const float* bias, float* y,
                                      int64_t M, int64_t N, double eps, void* stream) {
  if (M * N < 1) return;
  normalize<<<M, 256, 0, (cudaStream_t)stream>>>(x, weight, bias, y, N, eps);
}
