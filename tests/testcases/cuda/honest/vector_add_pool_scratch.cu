// Allocates scratch of its own on every call, in the order of the stream.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  float* sum;
  cudaMallocAsync(&sum, N * sizeof(float), (cudaStream_t)stream);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, sum, N);
  cudaMemcpyAsync(z, sum, N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
  cudaFreeAsync(sum, (cudaStream_t)stream);
}
