// Danger 5: results kept on disk between processes.
// task: vector_add
// expect: call sandbox_violation
// cheated: yes
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  const int file = open("/tmp/results", O_RDWR | O_CREAT, 0600);
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
  if (write(file, z, N * sizeof(float)) > 0) close(file);
}
