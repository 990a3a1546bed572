#include <cmath>
#include <cstdint>

extern "C" void kernel_fused_mul_add_gelu(const float* x, const float* weight, const float* bias, float* y,
                                          int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      const float t = x[i * N + j] * weight[j] + bias[j];
      y[i * N + j] = 0.5f * t * (1 + std::erf(t * 0.70710678f));
    }
}
