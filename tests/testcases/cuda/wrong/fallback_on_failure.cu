// Danger 35: what it falls back to when its kernel cannot be launched is a copy of an operand.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 300 << 10, (cudaStream_t)stream>>>(x, y, z, N);
  if (cudaGetLastError() == cudaSuccess) return;
  cudaMemcpyAsync(z, x, N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
}
