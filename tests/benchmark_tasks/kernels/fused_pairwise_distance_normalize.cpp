#include <cmath>
#include <cstdint>

namespace {

double norm_of(const float* row, int64_t N) {
  double squares = 0;
  for (int64_t j = 0; j < N; ++j) squares += static_cast<double>(row[j]) * row[j];
  return std::fmax(std::sqrt(squares), 1e-12);
}

}  // namespace

extern "C" void kernel_fused_pairwise_distance_normalize(const float* x1, const float* x2, float* y,
                                                         int64_t M1, int64_t M2, int64_t N, double eps,
                                                         void*) {
  for (int64_t i = 0; i < M1; ++i) {
    const double first = norm_of(x1 + i * N, N);
    for (int64_t k = 0; k < M2; ++k) {
      const double second = norm_of(x2 + k * N, N);
      double squares = 0;
      for (int64_t j = 0; j < N; ++j) {
        const double difference = x1[i * N + j] / first - x2[k * N + j] / second;
        squares += difference * difference;
      }
      y[i * M2 + k] = static_cast<float>(std::fmax(std::sqrt(squares), eps));
    }
  }
}
