#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

// Gaussian elimination with partial pivoting.
extern "C" void kernel_solve(const float* a, const float* y, float* x, int64_t B, int64_t N, int64_t R,
                             void*) {
  std::vector<float> u(N * N);
  for (int64_t b = 0; b < B; ++b, a += N * N, y += N * R, x += N * R) {
    for (int64_t i = 0; i < N * N; ++i) u[i] = a[i];
    for (int64_t i = 0; i < N * R; ++i) x[i] = y[i];
    for (int64_t c = 0; c < N; ++c) {
      int64_t pivot = c;
      for (int64_t i = c + 1; i < N; ++i)
        if (std::fabs(u[i * N + c]) > std::fabs(u[pivot * N + c])) pivot = i;
      for (int64_t j = 0; j < N; ++j) std::swap(u[c * N + j], u[pivot * N + j]);
      for (int64_t j = 0; j < R; ++j) std::swap(x[c * R + j], x[pivot * R + j]);
      for (int64_t i = c + 1; i < N; ++i) {
        const float factor = u[i * N + c] / u[c * N + c];
        for (int64_t j = c; j < N; ++j) u[i * N + j] -= factor * u[c * N + j];
        for (int64_t j = 0; j < R; ++j) x[i * R + j] -= factor * x[c * R + j];
      }
    }
    for (int64_t i = N - 1; i >= 0; --i)
      for (int64_t j = 0; j < R; ++j) {
        for (int64_t k = i + 1; k < N; ++k) x[i * R + j] -= u[i * N + k] * x[k * R + j];
        x[i * R + j] /= u[i * N + i];
      }
  }
}
