#include <cmath>
#include <cstdint>

extern "C" void kernel_gelu_fp16(const _Float16* x, _Float16* y, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M * N; ++i) {
    const float t = static_cast<float>(x[i]);
    y[i] = static_cast<_Float16>(0.5f * t * (1 + std::erf(t * 0.70710678f)));
  }
}
