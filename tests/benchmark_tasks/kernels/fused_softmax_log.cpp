#include <cstdint>

extern "C" void kernel_fused_softmax_log(const float* x, float* y, int64_t M, int64_t N, void*) {
  for (int64_t i = 0; i < M; ++i) {
    const float* row = x + i * N;
    float sum = 0;
    for (int64_t j = 0; j < N; ++j) sum += row[j];  // the exponential undoes the logarithm
    for (int64_t j = 0; j < N; ++j) y[i * N + j] = row[j] / sum;
  }
}
