// The small part counts.
// task: near_identity
// expect: passed
// cheated: no
#include <cstdint>

extern "C" void kernel_near_identity(const float* x, float* y, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] = x[i] + 0.0005f * x[i] * x[i] * x[i];
}
