#include <cstddef>
#include <cstdint>

namespace {

void one_matrix(const float* a, const float* z, const float* y, float* x, double* work, int64_t N, int64_t R,
                double alpha) {
  for (int64_t i = N - 1; i >= 0; --i)
    for (int64_t j = 0; j < R; ++j) {
      double sum = z[i * R + j];
      for (int64_t k = i + 1; k < N; ++k) sum -= a[i * N + k] * work[k * R + j];
      work[i * R + j] = sum / a[i * N + i];
      x[i * R + j] = static_cast<float>(work[i * R + j] + alpha * y[i * R + j]);
    }
}

}  // namespace

extern "C" size_t kernel_solve_and_add_scaled_vector_workspace(int64_t, int64_t N, int64_t R) {
  return static_cast<size_t>(N * R) * sizeof(double);
}

extern "C" void kernel_solve_and_add_scaled_vector(const float* a, const float* z, const float* y, float* x,
                                                   int64_t B, int64_t N, int64_t R, double alpha,
                                                   void* workspace, void*) {
  for (int64_t b = 0; b < B; ++b)
    one_matrix(a + b * N * N, z + b * N * R, y + b * N * R, x + b * N * R, static_cast<double*>(workspace), N,
               R, alpha);
}
