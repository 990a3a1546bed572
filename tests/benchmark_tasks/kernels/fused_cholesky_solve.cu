#include <cstddef>
#include <cstdint>

namespace {

__device__ void one_matrix(const float* a, const float* y, float* x, double* work, int64_t N, int64_t R) {
  double *l = work, *v = work + N * N;
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      double sum = a[i * N + j];
      for (int64_t k = 0; k < j; ++k) sum -= l[i * N + k] * l[j * N + k];
      l[i * N + j] = i == j ? sqrt(sum) : sum / l[j * N + j];
    }
  for (int64_t i = 0; i < N; ++i)
    for (int64_t j = 0; j < R; ++j) {
      double sum = y[i * R + j];
      for (int64_t k = 0; k < i; ++k) sum -= l[i * N + k] * v[k * R + j];
      v[i * R + j] = sum / l[i * N + i];
    }
  for (int64_t i = N - 1; i >= 0; --i)
    for (int64_t j = 0; j < R; ++j) {
      for (int64_t k = i + 1; k < N; ++k) v[i * R + j] -= l[k * N + i] * v[k * R + j];
      v[i * R + j] /= l[i * N + i];
      x[i * R + j] = float(v[i * R + j]);
    }
}

// A thread a matrix.
__global__ void all_matrices(const float* a, const float* y, float* x, int64_t B, int64_t N, int64_t R,
                             double* work) {
  const int64_t b = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (b >= B) return;
  one_matrix(a + b * N * N, y + b * N * R, x + b * N * R, work + b * (N * N + N * R), N, R);
}

}  // namespace

extern "C" size_t kernel_fused_cholesky_solve_workspace(int64_t B, int64_t N, int64_t R) {
  return size_t(B * (N * N + N * R)) * sizeof(double);
}

extern "C" void kernel_fused_cholesky_solve(const float* a, const float* y, float* x, int64_t B, int64_t N,
                                            int64_t R, void* workspace, void* stream) {
  if (B < 1) return;
  auto* work = static_cast<double*>(workspace);
  all_matrices<<<(B + 31) / 32, 32, 0, (cudaStream_t)stream>>>(a, y, x, B, N, R, work);
}
