// Bytes that are no message at all.
// task: vector_add
// expect: call sandbox_violation
// cheated: yes
#include <unistd.h>

#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  if (write(3, "shall we?", 9) < 0) return;
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
