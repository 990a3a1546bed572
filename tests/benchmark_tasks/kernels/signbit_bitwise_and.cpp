#include <cmath>
#include <cstdint>

extern "C" void kernel_signbit_bitwise_and(const float* x, const int8_t* mask, uint8_t* negative, int8_t* y,
                                           int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) {
    negative[i] = std::signbit(x[i]);
    y[i] = static_cast<int8_t>(static_cast<int8_t>(x[i]) & mask[i]);
  }
}
