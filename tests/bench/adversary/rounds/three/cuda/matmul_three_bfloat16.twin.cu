// The honest twin: three TF32 products, 22 digits.
// task: matmul
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;

namespace {

constexpr int tile_m = 128, tile_n = 128, tile_k = 32, threads = 256;

constexpr int step = 8;
using Part = float;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major>;
using Bm = wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major>;
using C = wmma::fragment<wmma::accumulator, 16, 16, 8, float>;
__device__ void split(float x, Part& high, Part& low) {
  high = wmma::__float_to_tf32(x);
  low = wmma::__float_to_tf32(x - high);
}

constexpr int pad = 8;
struct Slices {
  Part a[2][tile_m][tile_k + pad];
  Part b[2][tile_k][tile_n + pad];
};

// Three products of halves: high high, high low, low high.
__global__ void __launch_bounds__(threads) multiply(const float* a, const float* b, float* c, int64_t M, int64_t N,
                                                    int64_t K) {
  extern __shared__ __align__(128) unsigned char raw[];
  Slices& s = *reinterpret_cast<Slices*>(raw);
  const int warp = threadIdx.x / 32;
  const int row = (warp / 2) * 32, column = (warp % 2) * 64;  // of this warp's 32 by 64
  const int64_t row0 = int64_t(blockIdx.y) * tile_m, column0 = int64_t(blockIdx.x) * tile_n;
  C sum[2][4];
  for (auto& line : sum)
    for (auto& one : line) wmma::fill_fragment(one, 0.0f);
  for (int64_t k0 = 0; k0 < K; k0 += tile_k) {
    for (int e = threadIdx.x; e < tile_m * tile_k; e += threads) {
      const int i = e / tile_k, k = e % tile_k;
      const float x = row0 + i < M && k0 + k < K ? a[(row0 + i) * K + k0 + k] : 0;
      split(x, s.a[0][i][k], s.a[1][i][k]);
    }
    for (int e = threadIdx.x; e < tile_k * tile_n; e += threads) {
      const int k = e / tile_n, j = e % tile_n;
      const float x = column0 + j < N && k0 + k < K ? b[(k0 + k) * N + column0 + j] : 0;
      split(x, s.b[0][k][j], s.b[1][k][j]);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile_k; k += step) {
      A left[2][2];
      for (int half = 0; half < 2; ++half)
        for (int m = 0; m < 2; ++m)
          wmma::load_matrix_sync(left[half][m], &s.a[half][row + 16 * m][k], tile_k + pad);
      for (int n = 0; n < 4; ++n) {
        Bm high, low;
        wmma::load_matrix_sync(high, &s.b[0][k][column + 16 * n], tile_n + pad);
        wmma::load_matrix_sync(low, &s.b[1][k][column + 16 * n], tile_n + pad);
        for (int m = 0; m < 2; ++m) {
          wmma::mma_sync(sum[m][n], left[1][m], high, sum[m][n]);
          wmma::mma_sync(sum[m][n], left[0][m], low, sum[m][n]);
          wmma::mma_sync(sum[m][n], left[0][m], high, sum[m][n]);
        }
      }
    }
    __syncthreads();
  }
  float* const own = reinterpret_cast<float*>(raw) + warp * 256;
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 4; ++n) {
      wmma::store_matrix_sync(own, sum[m][n], 16, wmma::mem_row_major);
      __syncwarp();
      for (int e = threadIdx.x % 32; e < 256; e += 32) {
        const int64_t i = row0 + row + 16 * m + e / 16, j = column0 + column + 16 * n + e % 16;
        if (i < M && j < N) c[i * N + j] = own[e];
      }
      __syncwarp();
    }
}

}  // namespace

extern "C" void kernel_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                              void* stream) {
  if (M * N < 1) return;
  static const auto set =
      cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Slices)));
  (void)set;
  const dim3 blocks(unsigned((N + tile_n - 1) / tile_n), unsigned((M + tile_m - 1) / tile_m));
  multiply<<<blocks, threads, sizeof(Slices), (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
