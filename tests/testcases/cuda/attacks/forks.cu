// Danger 33: a fork bomb, of a bounded size. Right only where all of it was allowed.
// task: vector_add
// expect: call sandbox_violation | correctness wrong_values
#include <unistd.h>

#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  for (int child = 0; child < 64; ++child) {
    const pid_t process = fork();
    if (process < 0) return;
    if (process == 0)
      for (;;) pause();
  }
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
