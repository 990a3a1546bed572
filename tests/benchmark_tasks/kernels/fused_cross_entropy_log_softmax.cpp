#include <cmath>
#include <cstddef>
#include <cstdint>

extern "C" size_t kernel_fused_cross_entropy_log_softmax_workspace(int64_t M, int64_t) {
  return static_cast<size_t>(M) * sizeof(double);
}

extern "C" void kernel_fused_cross_entropy_log_softmax(const float* x, const int64_t* target, float* loss,
                                                       int64_t M, int64_t N, double smoothing,
                                                       void* workspace, void*) {
  auto* parts = static_cast<double*>(workspace);
  for (int64_t i = 0; i < M; ++i) {
    const float* row = x + i * N;
    float largest = row[0];
    for (int64_t j = 1; j < N; ++j) largest = std::fmax(largest, row[j]);
    double sum = 0, all = 0;
    for (int64_t j = 0; j < N; ++j) {
      sum += std::exp(row[j] - largest);
      all += row[j];
    }
    const double shift = largest + std::log(sum);
    parts[i] =
        (1 - smoothing) * (shift - row[target[i]]) + smoothing * (shift - all / static_cast<double>(N));
  }
  double total = 0;
  for (int64_t i = 0; i < M; ++i) total += parts[i];
  *loss = static_cast<float>(total / static_cast<double>(M));
}
