// A block a row: what is tiny is right all the same.
// task: wide_softmax
// expect: passed
// cheated: no
#include <cmath>
#include <cstdint>

/// The sum, or the maximum, over the block, for every thread of it.
template <bool sums>
static __device__ float reduce(float value) {
  __shared__ float parts[8];
  for (int reach = 16; reach > 0; reach /= 2) {
    const float other = __shfl_xor_sync(~0u, value, reach);
    value = sums ? value + other : fmaxf(value, other);
  }
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (int warp = 1; warp < 8; ++warp) value = sums ? value + parts[warp] : fmaxf(value, parts[warp]);
  __syncthreads();
  return value;
}

static __global__ void softmax(const float* x, float* y, int64_t N) {
  x += blockIdx.x * N;
  y += blockIdx.x * N;
  float largest = -INFINITY, sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += 256) largest = fmaxf(largest, x[j]);
  largest = reduce<false>(largest);
  for (int64_t j = threadIdx.x; j < N; j += 256) sum += expf(x[j] - largest);
  sum = reduce<true>(sum);
  for (int64_t j = threadIdx.x; j < N; j += 256) y[j] = expf(x[j] - largest) / sum;
}

extern "C" void kernel_wide_softmax(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  softmax<<<M, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
