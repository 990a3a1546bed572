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

// A block a channel.
__global__ void normalize(const float* x, const float* weight, const float* bias, float* running_mean,
                          float* running_var, float* y, int64_t B, int64_t C, int64_t L, double momentum,
                          double eps) {
  const double n = double(B * L);
  for (int64_t c = blockIdx.x; c < C; c += gridDim.x) {
    double sum = 0, squares = 0;
    for (int64_t b = 0; b < B; ++b)
      for (int64_t i = threadIdx.x; i < L; i += blockDim.x) sum += x[(b * C + c) * L + i];
    const double mean = block_sum(sum) / n;
    for (int64_t b = 0; b < B; ++b)
      for (int64_t i = threadIdx.x; i < L; i += blockDim.x) {
        const double d = x[(b * C + c) * L + i] - mean;
        squares += d * d;
      }
    squares = block_sum(squares);
    const double inverse = 1 / sqrt(squares / n + eps);
    for (int64_t b = 0; b < B; ++b)
      for (int64_t i = threadIdx.x; i < L; i += blockDim.x) {
        const int64_t at = (b * C + c) * L + i;
        y[at] = weight[c] * float((x[at] - mean) * inverse) + bias[c];
      }
    if (threadIdx.x == 0) {
      running_mean[c] = float((1 - momentum) * running_mean[c] + momentum * mean);
      running_var[c] = float((1 - momentum) * running_var[c] + momentum * squares / (n - 1));
    }
  }
}

}  // namespace

extern "C" void kernel_batch_norm(const float* x, const float* weight, const float* bias, float* running_mean,
                                  float* running_var, float* y, int64_t B, int64_t C, int64_t L,
                                  double momentum, double eps, void* stream) {
  if (C < 1) return;
  const int64_t blocks = min(C, int64_t{65536});
  const int threads = L > 512 ? 1024 : 256;
  normalize<<<blocks, threads, 0, (cudaStream_t)stream>>>(x, weight, bias, running_mean, running_var, y, B, C,
                                                          L, momentum, eps);
}
