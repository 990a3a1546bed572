// The honest twin: always with pivots.
// task: det
#include <cuda_runtime.h>

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


namespace {

// A warp a matrix of 32 by 32 in float64, a lane a row in registers; rows stay where they are.
template <bool search>
__global__ void small(const float* a, float* y, int64_t B) {
  const int lane = threadIdx.x % 32;
  const int64_t b = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (b >= B) return;
  double row[32];
  const float4* from = (const float4*)(a + (b * 32 + lane) * 32);
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    const float4 four = from[j];
    row[4 * j] = four.x, row[4 * j + 1] = four.y, row[4 * j + 2] = four.z, row[4 * j + 3] = four.w;
  }
  double determinant = 1;
  bool used = false;
  int order = -1;  // the column for which this lane's row was the pivot
#pragma unroll
  for (int c = 0; c < 32; ++c) {
    int pivot = c;
    if (search) {
      float size = used ? -1.0f : float(fabs(row[c]));
      pivot = lane;
      for (int reach = 16; reach > 0; reach /= 2) {
        const float other = __shfl_xor_sync(0xFFFFFFFFu, size, reach);
        const int at = __shfl_xor_sync(0xFFFFFFFFu, pivot, reach);
        if (other > size || (other == size && at < pivot)) size = other, pivot = at;
      }
    }
    const double top = __shfl_sync(0xFFFFFFFFu, row[c], pivot);
    determinant *= top;
    if (lane == pivot) used = true, order = c;
    const double factor = used || top == 0 ? 0 : row[c] / top;
#pragma unroll
    for (int j = c + 1; j < 32; ++j) row[j] -= factor * __shfl_sync(0xFFFFFFFFu, row[j], pivot);
  }
  if (search) {  // the sign of the permutation: its inversions
    int inversions = 0;
    for (int other = 0; other < 32; ++other) {
      const int theirs = __shfl_sync(0xFFFFFFFFu, order, other);
      inversions += other < lane && theirs > order;
    }
    for (int reach = 16; reach > 0; reach /= 2) inversions += __shfl_xor_sync(0xFFFFFFFFu, inversions, reach);
    if (inversions & 1) determinant = -determinant;
  }
  if (lane == 0) y[b] = float(determinant);
}

}  // namespace

extern "C" size_t kernel_det_workspace(int64_t B, int64_t N) {
  return size_t(B * (N * N)) * sizeof(double);
}

extern "C" void kernel_det(const float* a, float* y, int64_t B, int64_t N, void* workspace, void* stream) {
  if (B < 1) return;
  auto* work = static_cast<double*>(workspace);
  if (N != 32) {
    all_matrices<<<(B + 31) / 32, 32, 0, (cudaStream_t)stream>>>(a, y, B, N, work);
    return;
  }
  small<true><<<(B + 3) / 4, 128, 0, (cudaStream_t)stream>>>(a, y, B);
}
