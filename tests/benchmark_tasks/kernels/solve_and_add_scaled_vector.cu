#include <cstddef>
#include <cstdint>

namespace {

__device__ void one_matrix(const float* a, const float* z, const float* y, float* x, double* work, int64_t N,
                           int64_t R, double alpha) {
  for (int64_t i = N - 1; i >= 0; --i)
    for (int64_t j = 0; j < R; ++j) {
      double sum = z[i * R + j];
      for (int64_t k = i + 1; k < N; ++k) sum -= a[i * N + k] * work[k * R + j];
      work[i * R + j] = sum / a[i * N + i];
      x[i * R + j] = float(work[i * R + j] + alpha * y[i * R + j]);
    }
}

// A thread a matrix.
__global__ void all_matrices(const float* a, const float* z, const float* y, float* x, int64_t B, int64_t N,
                             int64_t R, double alpha, double* work) {
  const int64_t b = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (b >= B) return;
  one_matrix(a + b * N * N, z + b * N * R, y + b * N * R, x + b * N * R, work + b * (N * R), N, R, alpha);
}

}  // namespace

extern "C" size_t kernel_solve_and_add_scaled_vector_workspace(int64_t B, int64_t N, int64_t R) {
  return size_t(B * (N * R)) * sizeof(double);
}

extern "C" void kernel_solve_and_add_scaled_vector(const float* a, const float* z, const float* y, float* x,
                                                   int64_t B, int64_t N, int64_t R, double alpha,
                                                   void* workspace, void* stream) {
  if (B < 1) return;
  auto* work = static_cast<double*>(workspace);
  all_matrices<<<(B + 31) / 32, 32, 0, (cudaStream_t)stream>>>(a, z, y, x, B, N, R, alpha, work);
}
