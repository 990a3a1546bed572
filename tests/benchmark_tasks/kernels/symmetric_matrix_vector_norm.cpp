#include <cmath>
#include <cstdint>

extern "C" void kernel_symmetric_matrix_vector_norm(const float* a, const float* x, float* norm, int64_t N,
                                                    double alpha, double beta, void*) {
  double squares = 0;
  for (int64_t i = 0; i < N; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < N; ++j) sum += a[i * N + j] * x[j];
    squares += static_cast<double>(sum) * sum;
  }
  *norm = static_cast<float>(std::fabs(alpha * (1 + beta)) * std::sqrt(squares));
}
