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

/// The block's scale of N values.
__device__ float scale_of(const float* values, int64_t N) {
  float largest = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) largest = fmaxf(largest, fabsf(values[j]));
  largest = block_max(largest);
  int exponent = 0;
  if (largest > 0) frexpf(largest, &exponent);
  return fmaxf(ldexpf(1.0f, exponent - 7), 0x1p-40f);
}

__device__ float quantize(float value, float scale) {
  return scale * fminf(fmaxf(rintf(value / scale), -127.0f), 127.0f);
}

// A block a row. Each block takes the scale of the weight anew.
__global__ void normalize(const float* x, const float* weight, const float* bias, float* y, int64_t N,
                          double eps) {
  const float* row = x + blockIdx.x * N;
  float* out = y + blockIdx.x * N;
  const float weight_scale = scale_of(weight, N), scale = scale_of(row, N);
  double sum = 0, squares = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    out[j] = quantize(row[j], scale);
    sum += out[j];
  }
  const double mean = block_sum(sum) / double(N);
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) squares += (out[j] - mean) * (out[j] - mean);
  const double inverse = 1 / sqrt(block_sum(squares) / double(N) + eps);
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x)
    out[j] = quantize(weight[j], weight_scale) * float((out[j] - mean) * inverse) + bias[j];
}

}  // namespace

extern "C" void kernel_layernorm_w8a8(const float* x, const float* weight, const float* bias, float* y,
                                      int64_t M, int64_t N, double eps, void* stream) {
  if (M * N < 1) return;
  normalize<<<M, 256, 0, (cudaStream_t)stream>>>(x, weight, bias, y, N, eps);
}
