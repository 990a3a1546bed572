// Danger 13: float16 between the steps, in an operator where it hardly shows.
// task: wide_softmax
// expect: correctness lower_precision | correctness wrong_values
// cheated: no
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>

static __device__ float rounded(float value) { return __half2float(__float2half(value)); }

// A block a row.
static __global__ void softmax(const float* x, float* y, int64_t N) {
  __shared__ float parts[8];
  x += blockIdx.x * N;
  y += blockIdx.x * N;
  float sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += 256) sum += rounded(expf(rounded(x[j])));
  for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int warp = 0; warp < 8; ++warp) sum += parts[warp];
  for (int64_t j = threadIdx.x; j < N; j += 256) y[j] = rounded(expf(rounded(x[j]))) / sum;
}

extern "C" void kernel_wide_softmax(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  softmax<<<M, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
