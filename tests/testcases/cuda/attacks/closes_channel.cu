// Closes every descriptor, the judge's channel and the driver's devices among them, and goes on.
// task: vector_add
// expect: call exited | call crashed | call sandbox_violation | call timed_out
#include <unistd.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  for (int file = 3; file < 256; ++file) close(file);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
