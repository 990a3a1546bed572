#include <cmath>
#include <cstdint>

extern "C" void kernel_trunc(const float* x, float* y, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] = std::trunc(x[i]);
}
