#include <cstdint>

extern "C" void kernel_tril_mm_and_scale(const float* a, const float* b, float* y, int64_t N, int64_t P,
                                         double alpha, double beta, void*) {
  const auto scale = static_cast<float>(alpha * beta);
  for (int64_t i = 0; i < N; ++i) {
    float* row = y + i * P;
    for (int64_t j = 0; j < P; ++j) row[j] = 0;
    for (int64_t k = 0; k <= i; ++k)
      for (int64_t j = 0; j < P; ++j) row[j] += a[i * N + k] * b[k * P + j];
    for (int64_t j = 0; j < P; ++j) row[j] *= scale;
  }
}
