#include <cstdint>

extern "C" void kernel_matrix_vector_dot(const float* a, const float* x, float* y, float* dot, int64_t N,
                                         double alpha, double beta, void*) {
  float total = 0;
  for (int64_t i = 0; i < N; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < N; ++j) sum += a[i * N + j] * x[j];
    y[i] = static_cast<float>(alpha) * sum + static_cast<float>(beta) * y[i];
    total += y[i] * x[i];
  }
  *dot = total;
}
