// Danger 33: more threads than a machine wants. Right only where all of them started.
// task: vector_add
// A driver starts threads of its own, so they are not refused: what they do late is seen as any late work is.
// expect: call sandbox_violation | call crashed | correctness wrong_values | call memory_limit | passed
#include <unistd.h>

#include <cstdint>
#include <system_error>
#include <thread>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static int started = 0;
  try {
    for (; started < 20000; ++started)
      std::thread([] {
        for (;;) pause();
      }).detach();
  } catch (const std::system_error&) {
    return;
  }
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
