#include <cstddef>
#include <cstdint>

extern "C" size_t kernel_matrix_multiply_symmetric_workspace(int64_t N, int64_t) {
  return static_cast<size_t>(N * N) * sizeof(float);
}

extern "C" void kernel_matrix_multiply_symmetric(const float* a, const float* b, const float* c, float* y,
                                                 int64_t N, int64_t K, double alpha, double beta,
                                                 void* workspace, void*) {
  const auto scale = static_cast<float>(alpha), kept = static_cast<float>(beta);
  auto* s = static_cast<float*>(workspace);
  for (int64_t i = 0; i < N; ++i) {
    float* row = s + i * N;
    for (int64_t j = 0; j < N; ++j) row[j] = 0;
    for (int64_t k = 0; k < K; ++k)
      for (int64_t j = 0; j < N; ++j) row[j] += a[i * K + k] * b[k * N + j];
    for (int64_t j = 0; j < N; ++j) row[j] = scale * row[j] + kept * c[i * N + j];
  }
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < N; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < N; ++k) sum += s[i * N + k] * s[j * N + k];
      y[i * N + j] = scale * sum + kept * s[i * N + j];
    }
}
