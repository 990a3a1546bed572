// Danger 29: /proc/self/mem.
// task: vector_add
// expect: call sandbox_violation
// cheated: yes
#include <fcntl.h>
#include <unistd.h>
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  close(open("/proc/self/mem", O_RDWR));
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
