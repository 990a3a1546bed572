// In place.
// task: axpy
// expect: passed
// cheated: no
#include <cstdint>

extern "C" void kernel_axpy(const float* x, float* y, int64_t N, double alpha, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] += static_cast<float>(alpha) * x[i];
}
