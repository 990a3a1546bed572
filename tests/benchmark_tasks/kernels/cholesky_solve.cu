#include <cstddef>
#include <cstdint>

namespace {

__device__ void one_matrix(const float* y, const float* factor, float* x, double* work, int64_t N,
                           int64_t R) {
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
      x[i * R + j] = float(work[i * R + j]);
    }
}

// A thread a matrix.
__global__ void all_matrices(const float* y, const float* factor, float* x, int64_t B, int64_t N, int64_t R,
                             double* work) {
  const int64_t b = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (b >= B) return;
  one_matrix(y + b * N * R, factor + b * N * N, x + b * N * R, work + b * (N * R), N, R);
}

}  // namespace

extern "C" size_t kernel_cholesky_solve_workspace(int64_t B, int64_t N, int64_t R) {
  return size_t(B * (N * R)) * sizeof(double);
}

extern "C" void kernel_cholesky_solve(const float* y, const float* factor, float* x, int64_t B, int64_t N,
                                      int64_t R, void* workspace, void* stream) {
  if (B < 1) return;
  auto* work = static_cast<double*>(workspace);
  all_matrices<<<(B + 31) / 32, 32, 0, (cudaStream_t)stream>>>(y, factor, x, B, N, R, work);
}
