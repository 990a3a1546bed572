#include <cstdint>

extern "C" void kernel_fused_add_mean(const float* a, const float* b, float* y, int64_t M, int64_t N,
                                      double alpha, void*) {
  for (int64_t i = 0; i < M; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < N; ++j) sum += a[i * N + j] + static_cast<float>(alpha) * b[i * N + j];
    y[i] = sum / static_cast<float>(N);
  }
}
