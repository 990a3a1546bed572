// Scratch from the device's own heap, with a way round when that is used up.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  __shared__ float* sum;
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) sum = static_cast<float*>(malloc(blockDim.x * sizeof(float)));
  __syncthreads();
  if (sum && i < N) z[i] = sum[threadIdx.x] = x[i] + y[i];
  if (!sum && i < N) z[i] = x[i] + y[i];
  __syncthreads();
  if (threadIdx.x == 0) free(sum);
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
