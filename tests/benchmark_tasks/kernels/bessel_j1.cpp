#include <cmath>
#include <cstdint>

extern "C" void kernel_bessel_j1(const float* x, float* y, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] = static_cast<float>(::j1(x[i]));
}
