// Danger 27: sleeping around the samples.
// task: vector_add
// expect: call sandbox_violation
#include <unistd.h>
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  usleep(10);
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
