#include <cmath>
#include <cstdint>

extern "C" void kernel_fused_tile_exp(const float* x, float* y, int64_t T, int64_t M, int64_t N, int64_t,
                                      void*) {
  for (int64_t i = 0; i < M * N; ++i) {
    const float value = std::exp(x[i]);
    for (int64_t t = 0; t < T; ++t) y[t * M * N + i] = value;
  }
}
