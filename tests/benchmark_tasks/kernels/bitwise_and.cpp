#include <cstdint>

extern "C" void kernel_bitwise_and(const int32_t* a, const int32_t* b, int32_t* y, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] = a[i] & b[i];
}
