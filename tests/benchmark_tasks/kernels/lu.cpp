#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

// Gaussian elimination with partial pivoting. Its factors share one matrix with what it leaves.
extern "C" void kernel_lu(const float* a, int64_t* p, float* l, float* u, int64_t B, int64_t M, int64_t N,
                          void*) {
  const int64_t K = M < N ? M : N;
  std::vector<float> both(M * N);
  for (int64_t b = 0; b < B; ++b, a += M * N, p += M, l += M * K, u += K * N) {
    for (int64_t i = 0; i < M * N; ++i) both[i] = a[i];
    for (int64_t i = 0; i < M; ++i) p[i] = i;
    for (int64_t c = 0; c < K; ++c) {
      int64_t pivot = c;
      for (int64_t i = c + 1; i < M; ++i)
        if (std::fabs(both[i * N + c]) > std::fabs(both[pivot * N + c])) pivot = i;
      std::swap(p[c], p[pivot]);
      for (int64_t j = 0; j < N; ++j) std::swap(both[c * N + j], both[pivot * N + j]);
      for (int64_t i = c + 1; i < M; ++i) {
        both[i * N + c] /= both[c * N + c];
        for (int64_t j = c + 1; j < N; ++j) both[i * N + j] -= both[i * N + c] * both[c * N + j];
      }
    }
    for (int64_t i = 0; i < M; ++i)
      for (int64_t j = 0; j < K; ++j) l[i * K + j] = j < i ? both[i * N + j] : j == i ? 1.0f : 0.0f;
    for (int64_t i = 0; i < K; ++i)
      for (int64_t j = 0; j < N; ++j) u[i * N + j] = j < i ? 0 : both[i * N + j];
  }
}
