// Danger 11: a parameter omitted.
// task: axpy
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_axpy(const float* x, float* y, int64_t N, double, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] += x[i];
}
