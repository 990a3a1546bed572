#include <cmath>
#include <cstdint>

extern "C" void kernel_normalize_pairwise_distance(const float* x1, const float* x2, float* y, int64_t B,
                                                   int64_t M, int64_t N, double eps, void*) {
  for (int64_t b = 0; b < B; ++b, y += M) {
    float squares = 0;
    for (int64_t i = 0; i < M; ++i, x1 += N, x2 += N) {
      float sum = 0;
      for (int64_t j = 0; j < N; ++j) sum += (x1[j] - x2[j]) * (x1[j] - x2[j]);
      y[i] = std::sqrt(sum) + static_cast<float>(eps);
      squares += y[i] * y[i];
    }
    const float norm = std::fmax(std::sqrt(squares), 1e-12f);
    for (int64_t i = 0; i < M; ++i) y[i] /= norm;
  }
}
