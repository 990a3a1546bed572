#include <cmath>
#include <cstdint>

extern "C" void kernel_fused_exp_mean(const float* x, float* y, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < N; ++j) sum += std::exp(x[i * N + j]);
    y[i] = sum / static_cast<float>(N);
  }
}
