// Danger 32: the network.
// task: vector_add
// expect: call sandbox_violation
// cheated: yes
#include <sys/socket.h>
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  if (socket(AF_INET, SOCK_STREAM, 0) < 0) return;
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
