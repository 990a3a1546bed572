#include <cstddef>
#include <cstdint>

namespace {

void one_matrix(const float* y, const float* factor, float* x, double* work, int64_t N, int64_t R) {
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < R; ++j) {
      double sum = y[i * R + j];
      for (int64_t k = 0; k < i; ++k) sum -= factor[i * N + k] * work[k * R + j];
      work[i * R + j] = sum / factor[i * N + i];
    }
  for (int64_t i = N - 1; i >= 0; --i)
    for (int64_t j = 0; j < R; ++j) {
      for (int64_t k = i + 1; k < N; ++k) work[i * R + j] -= factor[k * N + i] * work[k * R + j];
      work[i * R + j] /= factor[i * N + i];
      x[i * R + j] = static_cast<float>(work[i * R + j]);
    }
}

}  // namespace

extern "C" size_t kernel_cholesky_solve_workspace(int64_t, int64_t N, int64_t R) {
  return static_cast<size_t>(N * R) * sizeof(double);
}

extern "C" void kernel_cholesky_solve(const float* y, const float* factor, float* x, int64_t B, int64_t N,
                                      int64_t R, void* workspace, void*) {
  for (int64_t b = 0; b < B; ++b)
    one_matrix(y + b * N * R, factor + b * N * N, x + b * N * R, static_cast<double*>(workspace), N, R);
}
