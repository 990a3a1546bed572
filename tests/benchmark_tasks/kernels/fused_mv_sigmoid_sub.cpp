#include <cmath>
#include <cstdint>

extern "C" void kernel_fused_mv_sigmoid_sub(const float* a, const float* v, const float* b, float* y,
                                            int64_t M, int64_t N, double alpha, void*) {
  for (int64_t i = 0; i < M; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < N; ++j) sum += a[i * N + j] * v[j];
    y[i] = 1 / (1 + std::exp(-sum)) - static_cast<float>(alpha) * b[i];
  }
}
