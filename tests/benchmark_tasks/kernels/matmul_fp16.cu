#include <cuda_fp16.h>

#include <cstdint>

namespace {

constexpr int tile = 64, depth = 16, threads = 256;  // a thread computes 4 by 4 elements, 16 apart

/// Adds the products of two slices in shared memory to the sums of this thread.
__device__ void accumulate(const float (&a)[depth][tile + 1], const float (&b)[depth][tile + 1],
                           float (&sum)[4][4]) {
  const int row = threadIdx.x / 16, column = threadIdx.x % 16;
  for (int k = 0; k < depth; ++k) {
    float left[4], right[4];
    for (int m = 0; m < 4; ++m) left[m] = a[k][row + 16 * m];
    for (int n = 0; n < 4; ++n) right[n] = b[k][column + 16 * n];
    for (int m = 0; m < 4; ++m)
      for (int n = 0; n < 4; ++n) sum[m][n] += left[m] * right[n];
  }
}

// A block a tile of 64 by 64.
__global__ void multiply(const __half* a, const __half* b, __half* c, int64_t M, int64_t N, int64_t K) {
  __shared__ float a_slice[depth][tile + 1], b_slice[depth][tile + 1];
  const int64_t across = (N + tile - 1) / tile;
  const int64_t row0 = int64_t(blockIdx.x) / across * tile, column0 = int64_t(blockIdx.x) % across * tile;
  float sum[4][4] = {};
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int e = threadIdx.x; e < tile * depth; e += threads) {
      const int64_t i = row0 + e / depth, ka = k0 + e % depth;
      a_slice[e % depth][e / depth] = i < M && ka < K ? __half2float(a[i * K + ka]) : 0;
      const int64_t j = column0 + e % tile, kb = k0 + e / tile;
      b_slice[e / tile][e % tile] = j < N && kb < K ? __half2float(b[kb * N + j]) : 0;
    }
    __syncthreads();
    accumulate(a_slice, b_slice, sum);
    __syncthreads();
  }
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      const int64_t i = row0 + threadIdx.x / 16 + 16 * m, j = column0 + threadIdx.x % 16 + 16 * n;
      if (i < M && j < N) c[i * N + j] = __float2half_rn(sum[m][n]);
    }
}

int64_t tiles_of(int64_t M, int64_t N) {
  return ((M + tile - 1) / tile) * ((N + tile - 1) / tile);
}

}  // namespace

extern "C" void kernel_matmul_fp16(const __half* a, const __half* b, __half* c, int64_t M, int64_t N,
                                   int64_t K, void* stream) {
  if (M * N < 1) return;
  multiply<<<tiles_of(M, N), threads, 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
