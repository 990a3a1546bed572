// Partial sums in managed memory.
// task: mean
// expect: passed
// cheated: no
#include <cstdint>

static __managed__ float sums[256];

static __global__ void add_parts(const float* x, int64_t N) {
  __shared__ float shared[256];
  float sum = 0;
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < N; i += 256 * 256) sum += x[i];
  shared[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = shared[0];
}

static __global__ void add_sums(float* y, int64_t N) {
  float sum = 0;
  for (int part = threadIdx.x; part < 256; part += 32) sum += sums[part];
  for (int reach = 16; reach > 0; reach /= 2) sum += __shfl_xor_sync(~0u, sum, reach);
  if (threadIdx.x == 0) *y = sum / float(N);
}

extern "C" void kernel_mean(const float* x, float* y, int64_t N, void* stream) {
  add_parts<<<256, 256, 0, (cudaStream_t)stream>>>(x, N);
  add_sums<<<1, 32, 0, (cudaStream_t)stream>>>(y, N);
}
