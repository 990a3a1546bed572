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

}  // namespace

extern "C" void kernel_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K, void* stream) {
  if (M * N < 1) return;
  product<<<tiles_of(M, N), threads, 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
