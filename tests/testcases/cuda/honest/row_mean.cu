// A block a row.
// task: row_mean
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void mean_of_row(const float* x, float* y, int64_t N) {
  __shared__ float sums[256];
  float sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += 256) sum += x[blockIdx.x * N + j];
  sums[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sums[0] / float(N);
}

extern "C" void kernel_row_mean(const float* x, float* y, int64_t M, int64_t N, void* stream) {
  mean_of_row<<<M, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
