// idea: Each factor is a sum of two halves with 22 digits together, three products by tensor cores, and float32 sums outside them every 32 terms, where cuda/wrong/matmul_3xtf32 is caught by what tensor cores truncate. It is less than float32: tiny and huge elements are lost.
// task: matmul
// twin: cuda/matmul_three_halves.twin.cu
#include <cuda_fp16.h>
#include <mma.h>
#include <cstddef>
#include <cstdint>

namespace {

constexpr int tile = 64, depth = 16, threads = 256;

/// The sum over the block, for every thread of it.
__device__ double block_sum(double value) {
  __shared__ double parts[32];
  for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, reach);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) value += parts[warp];
  __syncthreads();
  return value;
}

/// A tile of 64 by 64 of a times b, b by columns where `turned`; 4 by 4 sums a thread, 16 apart.
template <bool turned>
__device__ void multiply(const float* a, const float* b, int64_t M, int64_t N, int64_t K, int64_t row0,
                         int64_t column0, float (&sum)[4][4]) {
  __shared__ float left[depth][tile + 1], right[depth][tile + 1];
  const int row = threadIdx.x / 16, column = threadIdx.x % 16;
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int e = threadIdx.x; e < tile * depth; e += threads) {
      const int64_t i = row0 + e / depth, k = k0 + e % depth;
      left[e % depth][e / depth] = i < M && k < K ? a[i * K + k] : 0;
      if (turned) {
        const int64_t j = column0 + e / depth;
        right[e % depth][e / depth] = j < N && k < K ? b[j * K + k] : 0;
      } else {
        const int64_t j = column0 + e % tile, kb = k0 + e / tile;
        right[e / tile][e % tile] = j < N && kb < K ? b[kb * N + j] : 0;
      }
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k)
      for (int m = 0; m < 4; ++m)
        for (int n = 0; n < 4; ++n) sum[m][n] += left[k][row + 16 * m] * right[k][column + 16 * n];
    __syncthreads();
  }
}

__global__ void product(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  const int64_t across = (N + tile - 1) / tile, row0 = blockIdx.x / across * tile, column0 = blockIdx.x % across * tile;
  float sum[4][4] = {};
  multiply<false>(a, b, M, N, K, row0, column0, sum);
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      const int64_t i = row0 + threadIdx.x / 16 + 16 * m, j = column0 + threadIdx.x % 16 + 16 * n;
      if (i < M && j < N) c[i * N + j] = sum[m][n];
    }
}

int64_t tiles_of(int64_t M, int64_t N) { return ((M + tile - 1) / tile) * ((N + tile - 1) / tile); }

// Each factor as two halves, the second 2^11 times as large as it is; three products, added up in float32 outside the
// tensor cores, which truncate, every 64 terms. Multiples of 64.
__global__ void product_low(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  using namespace nvcuda;
  __shared__ __half left[2][tile][40], right[2][32][72];
  const int64_t across = N / tile, row0 = blockIdx.x / across * tile, column0 = blockIdx.x % across * tile;
  const int warp = threadIdx.x / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> all, high, low;
  wmma::fill_fragment(all, 0.0f);
  for (int64_t k0 = 0; k0 < K; k0 += 32) {
    for (int e = threadIdx.x; e < tile * 32; e += blockDim.x) {
      const float x = a[(row0 + e / 32) * K + k0 + e % 32], z = b[(k0 + e / 64) * N + column0 + e % 64];
      const __half xh = __float2half_rn(x), zh = __float2half_rn(z);
      left[0][e / 32][e % 32] = xh;
      left[1][e / 32][e % 32] = __float2half_rn((x - __half2float(xh)) * 2048);
      right[0][e / 64][e % 64] = zh;
      right[1][e / 64][e % 64] = __float2half_rn((z - __half2float(zh)) * 2048);
    }
    __syncthreads();
    wmma::fill_fragment(high, 0.0f);
    wmma::fill_fragment(low, 0.0f);
    for (int k = 0; k < 32; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a0, a1;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b0, b1;
      wmma::load_matrix_sync(a0, &left[0][warp / 4 * 16][k], 40);
      wmma::load_matrix_sync(a1, &left[1][warp / 4 * 16][k], 40);
      wmma::load_matrix_sync(b0, &right[0][k][warp % 4 * 16], 72);
      wmma::load_matrix_sync(b1, &right[1][k][warp % 4 * 16], 72);
      wmma::mma_sync(high, a0, b0, high);
      wmma::mma_sync(low, a0, b1, low);
      wmma::mma_sync(low, a1, b0, low);
    }
    for (int i = 0; i < all.num_elements; ++i) all.x[i] += high.x[i] + low.x[i] * (1.0f / 2048);
    __syncthreads();
  }
  wmma::store_matrix_sync(c + (row0 + warp / 4 * 16) * N + column0 + warp % 4 * 16, all, N, wmma::mem_row_major);
}

}  // namespace

extern "C" void kernel_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K, void* stream) {
  if (M * N < 1) return;
  if (M % 64 == 0 && N % 64 == 0 && K % 64 == 0) {
    product_low<<<tiles_of(M, N), 512, 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
    return;
  }
  product<<<tiles_of(M, N), threads, 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
