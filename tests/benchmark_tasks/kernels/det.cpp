#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace {

/// Brings u [N, N] to upper triangular form; returns the determinant.
double eliminate(double* u, int64_t N) {
  double determinant = 1;
  for (int64_t c = 0; c < N; ++c) {
    int64_t pivot = c;
    for (int64_t i = c + 1; i < N; ++i)
      if (std::fabs(u[i * N + c]) > std::fabs(u[pivot * N + c])) pivot = i;
    if (pivot != c) {
      determinant = -determinant;
      for (int64_t j = 0; j < N; ++j) std::swap(u[c * N + j], u[pivot * N + j]);
    }
    determinant *= u[c * N + c];
    if (u[c * N + c] == 0) continue;
    for (int64_t i = c + 1; i < N; ++i) {
      const double factor = u[i * N + c] / u[c * N + c];
      for (int64_t j = c; j < N; ++j) u[i * N + j] -= factor * u[c * N + j];
    }
  }
  return determinant;
}

void one_matrix(const float* a, float* y, double* work, int64_t N) {
  for (int64_t i = 0; i < N * N; ++i) work[i] = a[i];
  *y = static_cast<float>(eliminate(work, N));
}

}  // namespace

extern "C" size_t kernel_det_workspace(int64_t, int64_t N) {
  return static_cast<size_t>(N * N) * sizeof(double);
}

extern "C" void kernel_det(const float* a, float* y, int64_t B, int64_t N, void* workspace, void*) {
  for (int64_t b = 0; b < B; ++b) one_matrix(a + b * N * N, y + b, static_cast<double*>(workspace), N);
}
