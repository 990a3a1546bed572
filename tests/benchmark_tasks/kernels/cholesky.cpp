#include <cmath>
#include <cstdint>

extern "C" void kernel_cholesky(const float* a, float* l, int64_t B, int64_t N, void*) {
  for (int64_t b = 0; b < B; ++b, a += N * N, l += N * N)
    for (int64_t i = 0; i < N; ++i)
      for (int64_t j = 0; j < N; ++j) {
        float rest = a[i * N + j];
        for (int64_t k = 0; k < j && j <= i; ++k) rest -= l[i * N + k] * l[j * N + k];
        l[i * N + j] = j > i ? 0 : j == i ? std::sqrt(rest) : rest / l[j * N + j];
      }
}
