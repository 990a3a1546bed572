#include <cmath>
#include <cstdint>

extern "C" void kernel_symmetric_mm_and_abs_sum(const float* a, const float* c, float* y, int64_t N,
                                                int64_t K, double alpha, double beta, void*) {
  const auto scale = static_cast<float>(alpha), kept = static_cast<float>(beta);
  double total = 0;
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += a[i * K + k] * a[j * K + k];
      total += std::fabs(scale * sum + kept * c[i * N + j]);
      if (j < i) total += std::fabs(scale * sum + kept * c[j * N + i]);
    }
  *y = static_cast<float>(total);
}
