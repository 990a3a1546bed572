#include <cmath>
#include <cstdint>

// Gram-Schmidt, each column orthogonalized twice: once leaves errors that grow with the condition.
extern "C" void kernel_qr(const float* a, float* q, float* r, int64_t B, int64_t M, int64_t N, void*) {
  for (int64_t b = 0; b < B; ++b, a += M * N, q += M * N, r += N * N) {
    for (int64_t i = 0; i < N * N; ++i) r[i] = 0;
    for (int64_t j = 0; j < N; ++j) {
      for (int64_t i = 0; i < M; ++i) q[i * N + j] = a[i * N + j];
      for (int64_t k = 0; k < 2 * j; ++k) {
        const int64_t other = k % j;
        float dot = 0;
        for (int64_t i = 0; i < M; ++i) dot += q[i * N + other] * q[i * N + j];
        for (int64_t i = 0; i < M; ++i) q[i * N + j] -= dot * q[i * N + other];
        r[other * N + j] += dot;
      }
      float square = 0;
      for (int64_t i = 0; i < M; ++i) square += q[i * N + j] * q[i * N + j];
      r[j * N + j] = std::sqrt(square);
      for (int64_t i = 0; i < M; ++i) q[i * N + j] /= r[j * N + j];
    }
  }
}
