#include <cstddef>
#include <cstdint>

extern "C" size_t kernel_matrix_multiply_and_row_dot_workspace(int64_t, int64_t N, int64_t) {
  return static_cast<size_t>(2 * N) * sizeof(float);
}

extern "C" void kernel_matrix_multiply_and_row_dot(const float* a, const float* b, const float* c, float* y,
                                                   int64_t, int64_t N, int64_t K, double alpha, double beta,
                                                   void* workspace, void*) {
  auto* rows = static_cast<float*>(workspace);
  for (int64_t i = 0; i < 2; ++i) {
    float* row = rows + i * N;
    for (int64_t j = 0; j < N; ++j) row[j] = 0;
    for (int64_t k = 0; k < K; ++k)
      for (int64_t j = 0; j < N; ++j) row[j] += a[i * K + k] * b[k * N + j];
    for (int64_t j = 0; j < N; ++j)
      row[j] = static_cast<float>(alpha) * row[j] + static_cast<float>(beta) * c[i * N + j];
  }
  float sum = 0;
  for (int64_t j = 0; j < N; ++j) sum += rows[j] * rows[N + j];
  *y = sum;
}
