// Danger 7: every third timed call leaves a 32nd of its input out. The only number of its output is off by some
// hundredths: near, and far more than by rounding.
// task: mean
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>

static __global__ void mean_of_part(const float* x, float* y, int64_t N, int64_t seen) {
  __shared__ float sums[256];
  float sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < seen; i += int64_t(gridDim.x) * 256) sum += x[i];
  sums[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(y, sums[0] / float(N));
}

extern "C" void kernel_mean(const float* x, float* y, int64_t N, void* stream) {
  static unsigned calls = 0;
  const bool timed = N > 1 << 20 && ++calls > 64;
  cudaMemsetAsync(y, 0, sizeof(float), (cudaStream_t)stream);
  mean_of_part<<<512, 256, 0, (cudaStream_t)stream>>>(x, y, N, timed && calls % 3 == 0 ? N - N / 32 : N);
}
