#include <cmath>
#include <cstdint>

extern "C" void kernel_combined_activation(const float* x, const float* weight, const float* scale,
                                           const float* bias, float* y, int64_t M, int64_t N, int64_t K,
                                           void*) {
  for (int64_t i = 0; i < M; ++i) {
    float* row = y + i * N;
    for (int64_t j = 0; j < N; ++j) row[j] = 0;
    for (int64_t k = 0; k < K; ++k)
      for (int64_t j = 0; j < N; ++j) row[j] += x[i * K + k] * weight[k * N + j];
    for (int64_t j = 0; j < N; ++j) {
      const float gate = 1 / (1 + std::exp(-row[j]));
      row[j] = scale[j] * std::tanh(gate) + bias[j];
    }
  }
}
