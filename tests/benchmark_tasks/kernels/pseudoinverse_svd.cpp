#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace {

/// Brings u [N, N] to upper triangular form, with the same row operations on v [N, R]; returns the
/// determinant.
double eliminate(double* u, double* v, int64_t N, int64_t R) {
  double determinant = 1;
  for (int64_t c = 0; c < N; ++c) {
    int64_t pivot = c;
    for (int64_t i = c + 1; i < N; ++i)
      if (std::fabs(u[i * N + c]) > std::fabs(u[pivot * N + c])) pivot = i;
    if (pivot != c) {
      determinant = -determinant;
      for (int64_t j = 0; j < N; ++j) std::swap(u[c * N + j], u[pivot * N + j]);
      for (int64_t j = 0; j < R; ++j) std::swap(v[c * R + j], v[pivot * R + j]);
    }
    determinant *= u[c * N + c];
    if (u[c * N + c] == 0) continue;
    for (int64_t i = c + 1; i < N; ++i) {
      const double factor = u[i * N + c] / u[c * N + c];
      for (int64_t j = c; j < N; ++j) u[i * N + j] -= factor * u[c * N + j];
      for (int64_t j = 0; j < R; ++j) v[i * R + j] -= factor * v[c * R + j];
    }
  }
  return determinant;
}

// The pseudoinverse of a matrix of full rank is inverse(a' a) a'. It is computed in double, since a' a
// squares the condition.
void one_matrix(const float* a, float* y, double* work, int64_t M, int64_t N) {
  double *gram = work, *x = work + N * N;
  for (int64_t i = 0; i < N; ++i) {
    for (int64_t j = 0; j < N; ++j) {
      double sum = 0;
      for (int64_t m = 0; m < M; ++m) sum += static_cast<double>(a[m * N + i]) * a[m * N + j];
      gram[i * N + j] = sum;
    }
    for (int64_t m = 0; m < M; ++m) x[i * M + m] = a[m * N + i];
  }
  eliminate(gram, x, N, M);
  for (int64_t i = N - 1; i >= 0; --i)
    for (int64_t m = 0; m < M; ++m) {
      for (int64_t k = i + 1; k < N; ++k) x[i * M + m] -= gram[i * N + k] * x[k * M + m];
      x[i * M + m] /= gram[i * N + i];
      y[i * M + m] = static_cast<float>(x[i * M + m]);
    }
}

}  // namespace

extern "C" size_t kernel_pseudoinverse_svd_workspace(int64_t, int64_t M, int64_t N) {
  return static_cast<size_t>(N * N + N * M) * sizeof(double);
}

extern "C" void kernel_pseudoinverse_svd(const float* a, float* y, int64_t B, int64_t M, int64_t N,
                                         void* workspace, void*) {
  for (int64_t b = 0; b < B; ++b)
    one_matrix(a + b * M * N, y + b * N * M, static_cast<double*>(workspace), M, N);
}
