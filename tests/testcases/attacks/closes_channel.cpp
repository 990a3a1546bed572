// Closes every descriptor, the judge's channel among them, and stays.
// task: vector_add
// expect: call exited
// cheated: yes
#include <unistd.h>
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  for (int fd = 0; fd < 64; ++fd) close(fd);
  for (volatile bool forever = true; forever;) {
  }
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
