// Danger 18: a grid whose second axis is too long for the timed size alone.
// task: vector_add
// expect: call launch_error | call crashed | correctness wrong_values
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.y) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<dim3(1, (N + 31) / 32), 32, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
