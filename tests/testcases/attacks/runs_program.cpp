// Another program in its place.
// task: vector_add
// expect: call sandbox_violation
// cheated: yes
#include <unistd.h>
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  execl("/bin/sh", "sh", "-c", "true", nullptr);
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
