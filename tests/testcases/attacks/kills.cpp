// Everything it may signal.
// task: vector_add
// expect: call sandbox_violation
// cheated: yes
#include <signal.h>
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  kill(-1, SIGKILL);
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
