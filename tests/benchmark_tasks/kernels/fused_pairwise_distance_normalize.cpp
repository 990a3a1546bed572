#include <cmath>
#include <cstdint>

extern "C" void kernel_fused_pairwise_distance_normalize(const float* x1, const float* x2, float* y,
                                                         int64_t M, int64_t N, double eps, void*) {
  for (int64_t i = 0; i < M; ++i) {
    const float *first = x1 + i * N, *second = x2 + i * N;
    double one = 0, other = 0, squares = 0;
    for (int64_t j = 0; j < N; ++j) {
      one += static_cast<double>(first[j]) * first[j];
      other += static_cast<double>(second[j]) * second[j];
    }
    one = std::fmax(std::sqrt(one), 1e-12);
    other = std::fmax(std::sqrt(other), 1e-12);
    for (int64_t j = 0; j < N; ++j) {
      const double difference = first[j] / one - second[j] / other + eps;
      squares += difference * difference;
    }
    y[i] = static_cast<float>(std::sqrt(squares));
  }
}
