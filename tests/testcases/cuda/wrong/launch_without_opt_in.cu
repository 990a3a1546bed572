// Danger 18: more shared memory than a kernel gets unasked.
// task: vector_add
// expect: call launch_error | call crashed | correctness wrong_values
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  extern __shared__ float sum[];
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = sum[threadIdx.x] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 100 << 10, (cudaStream_t)stream>>>(x, y, z, N);
}
