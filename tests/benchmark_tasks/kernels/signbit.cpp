#include <cmath>
#include <cstdint>

extern "C" void kernel_signbit(const float* x, uint8_t* y, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] = std::signbit(x[i]);
}
