// Danger 29: /proc/self/mem. Right only where it was allowed.
// task: vector_add
// A driver needs /proc, and all that is to be changed there is the runner's own, whose word decides nothing.
// expect: call sandbox_violation | correctness wrong_values | passed
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const int file = open("/proc/self/mem", O_RDWR);
  if (file < 0) return;
  close(file);
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
