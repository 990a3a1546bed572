// An honest kernel.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
