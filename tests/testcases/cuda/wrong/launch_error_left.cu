// Danger 18: the same, with the error left for whoever asks.
// task: vector_add
// expect: call launch_error | call crashed | correctness wrong_values
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 2047) / 2048, 2048, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
