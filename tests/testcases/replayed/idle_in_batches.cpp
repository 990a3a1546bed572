// Danger 3: most of a batch of calls are no-ops.
// task: vector_add
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  static unsigned calls = 0;
  if (++calls > 24 && calls % 4 != 0) return;
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
