// One number as its output: blocks add what they have to it, in any order.
// task: mean
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void mean_of_part(const float* x, float* y, int64_t N) {
  __shared__ float sums[256];
  float sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < N; i += int64_t(gridDim.x) * 256) sum += x[i];
  sums[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(y, sums[0] / float(N));
}

extern "C" void kernel_mean(const float* x, float* y, int64_t N, void* stream) {
  cudaMemsetAsync(y, 0, sizeof(float), (cudaStream_t)stream);
  mean_of_part<<<512, 256, 0, (cudaStream_t)stream>>>(x, y, N);
}
