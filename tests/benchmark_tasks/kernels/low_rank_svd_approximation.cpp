#include <cmath>
#include <cstddef>
#include <cstdint>

namespace {

/// Eigenvalues of the symmetric matrix s [N, N], left on its diagonal, and eigenvectors, the columns of v, by
/// rotations that clear one element after the other.
void diagonalize(double* s, double* v, int64_t N) {
  for (int64_t i = 0; i < N * N; ++i) v[i] = i / N == i % N ? 1 : 0;
  for (int sweep = 0; sweep < 30; ++sweep) {
    double outside = 0, all = 0;
    for (int64_t i = 0; i < N * N; ++i) {
      all += s[i] * s[i];
      if (i / N != i % N) outside += s[i] * s[i];
    }
    if (outside <= 1e-26 * all) return;
    for (int64_t p = 0; p < N; ++p)
      for (int64_t q = p + 1; q < N; ++q) {
        if (s[p * N + q] == 0) continue;
        const double theta = (s[q * N + q] - s[p * N + p]) / (2 * s[p * N + q]);
        const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), d = t * c;
        for (int64_t k = 0; k < N; ++k) {
          const double left = s[k * N + p], right = s[k * N + q];
          s[k * N + p] = c * left - d * right;
          s[k * N + q] = d * left + c * right;
        }
        for (int64_t k = 0; k < N; ++k) {
          const double upper = s[p * N + k], lower = s[q * N + k];
          s[p * N + k] = c * upper - d * lower;
          s[q * N + k] = d * upper + c * lower;
          const double left = v[k * N + p], right = v[k * N + q];
          v[k * N + p] = c * left - d * right;
          v[k * N + q] = d * left + c * right;
        }
      }
  }
}

// Keeps what lies in the span of the K eigenvectors of a' a with the largest eigenvalues.
void one_matrix(const float* a, float* y, double* work, int64_t M, int64_t N, int64_t K, int64_t rank) {
  double *s = work, *v = work + N * N;
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < N; ++j) {
      double sum = 0;
      for (int64_t m = 0; m < M; ++m) sum += static_cast<double>(a[m * N + i]) * a[m * N + j];
      s[i * N + j] = sum;
    }
  diagonalize(s, v, N);
  for (int64_t m = 0; m < M; ++m)
    for (int64_t j = 0; j < N; ++j) y[m * N + j] = 0;
  for (int64_t e = 0; e < N; ++e) {
    int64_t larger = 0;
    for (int64_t other = 0; other < N; ++other) larger += s[other * N + other] > s[e * N + e];
    if (larger >= rank) continue;
    for (int64_t m = 0; m < M; ++m) {
      double share = 0;
      for (int64_t j = 0; j < N; ++j) share += a[m * N + j] * v[j * N + e];
      for (int64_t j = 0; j < N; ++j) y[m * N + j] += static_cast<float>(share * v[j * N + e]);
    }
  }
}

}  // namespace

extern "C" size_t kernel_low_rank_svd_approximation_workspace(int64_t, int64_t, int64_t N, int64_t) {
  return static_cast<size_t>(2 * N * N) * sizeof(double);
}

extern "C" void kernel_low_rank_svd_approximation(const float* a, float* y, int64_t B, int64_t M, int64_t N,
                                                  int64_t K, int64_t rank, void* workspace, void*) {
  for (int64_t b = 0; b < B; ++b)
    one_matrix(a + b * M * N, y + b * M * N, static_cast<double*>(workspace), M, N, K, rank);
}
