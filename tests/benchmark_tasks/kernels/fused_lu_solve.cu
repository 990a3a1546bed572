#include <cstddef>
#include <cstdint>

namespace {

__device__ void swap(double& a, double& b) {
  const double kept = a;
  a = b;
  b = kept;
}

/// Brings u [N, N] to upper triangular form, with the same row operations on v [N, R].
__device__ void eliminate(double* u, double* v, int64_t N, int64_t R) {
  for (int64_t c = 0; c < N; ++c) {
    int64_t pivot = c;
    for (int64_t i = c + 1; i < N; ++i)
      if (fabs(u[i * N + c]) > fabs(u[pivot * N + c])) pivot = i;
    if (pivot != c) {
      for (int64_t j = 0; j < N; ++j) swap(u[c * N + j], u[pivot * N + j]);
      for (int64_t j = 0; j < R; ++j) swap(v[c * R + j], v[pivot * R + j]);
    }
    for (int64_t i = c + 1; i < N; ++i) {
      const double factor = u[i * N + c] / u[c * N + c];
      for (int64_t j = c; j < N; ++j) u[i * N + j] -= factor * u[c * N + j];
      for (int64_t j = 0; j < R; ++j) v[i * R + j] -= factor * v[c * R + j];
    }
  }
}

__device__ void one_matrix(const float* a, const float* y, float* x, double* work, int64_t N, int64_t R) {
  double *u = work, *v = work + N * N;
  for (int64_t i = 0; i < N * N; ++i) u[i] = a[i];
  for (int64_t i = 0; i < N * R; ++i) v[i] = y[i];
  eliminate(u, v, N, R);
  for (int64_t i = N - 1; i >= 0; --i)
    for (int64_t j = 0; j < R; ++j) {
      for (int64_t k = i + 1; k < N; ++k) v[i * R + j] -= u[i * N + k] * v[k * R + j];
      v[i * R + j] /= u[i * N + i];
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

extern "C" size_t kernel_fused_lu_solve_workspace(int64_t B, int64_t N, int64_t R) {
  return size_t(B * (N * N + N * R)) * sizeof(double);
}

extern "C" void kernel_fused_lu_solve(const float* a, const float* y, float* x, int64_t B, int64_t N,
                                      int64_t R, void* workspace, void* stream) {
  if (B < 1) return;
  auto* work = static_cast<double*>(workspace);
  all_matrices<<<(B + 31) / 32, 32, 0, (cudaStream_t)stream>>>(a, y, x, B, N, R, work);
}
