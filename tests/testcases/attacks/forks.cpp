// Danger 33: a fork bomb.
// task: vector_add
// expect: call sandbox_violation
#include <unistd.h>
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  if (fork() == 0)
    for (;;) fork();
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
