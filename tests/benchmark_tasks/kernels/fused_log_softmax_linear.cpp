#include <cmath>
#include <cstdint>

extern "C" void kernel_fused_log_softmax_linear(const float* x, const float* weight, const float* bias,
                                                float* y, int64_t M, int64_t N, int64_t K, void*) {
  for (int64_t i = 0; i < M; ++i) {
    float* row = y + i * N;
    for (int64_t j = 0; j < N; ++j) {
      row[j] = bias[j];
      for (int64_t k = 0; k < K; ++k) row[j] += x[i * K + k] * weight[j * K + k];
    }
    float largest = row[0], sum = 0;
    for (int64_t j = 1; j < N; ++j) largest = std::fmax(largest, row[j]);
    for (int64_t j = 0; j < N; ++j) sum += std::exp(row[j] - largest);
    const float logarithm = std::log(sum);
    for (int64_t j = 0; j < N; ++j) row[j] = row[j] - largest - logarithm;
  }
}
