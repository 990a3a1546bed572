#include <cmath>
#include <cstddef>
#include <cstdint>

extern "C" size_t kernel_fused_sum_std_workspace(int64_t M, int64_t) {
  return static_cast<size_t>(M) * sizeof(double);
}

extern "C" void kernel_fused_sum_std(const float* x, float* y, int64_t M, int64_t N, void* workspace, void*) {
  auto* parts = static_cast<double*>(workspace);
  for (int64_t i = 0; i < M; ++i) {
    parts[i] = 0;
    for (int64_t j = 0; j < N; ++j) parts[i] += x[i * N + j];
  }
  double total = 0, squares = 0;
  for (int64_t i = 0; i < M; ++i) total += parts[i];
  const double mean = total / static_cast<double>(M);
  for (int64_t i = 0; i < M; ++i) squares += (parts[i] - mean) * (parts[i] - mean);
  *y = static_cast<float>(std::sqrt(squares / static_cast<double>(M - 1)));
}
