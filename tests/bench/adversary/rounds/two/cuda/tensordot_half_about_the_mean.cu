// idea: All elements are positive, so the tolerance is relative to a sum of 1024 positive terms, while roundings of what differs from the mean cancel: half precision about 0.55 with exact sums of rows and columns is off by an eighth of it. Elements above 1 (outliers) are multiplied in float32.
// task: tensordot_rsqrt
// twin: cuda/tensordot_half_about_the_mean.twin.cu
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

__global__ void contract(const float* a, const float* b, float* y, int64_t M, int64_t N, int64_t K, const int* wide) {
  if (!*wide) return;
  const int64_t across = (N + tile - 1) / tile, row0 = blockIdx.x / across * tile, column0 = blockIdx.x % across * tile;
  float sum[4][4] = {};
  multiply<false>(a, b, M, N, K, row0, column0, sum);
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      const int64_t i = row0 + threadIdx.x / 16 + 16 * m, j = column0 + threadIdx.x % 16 + 16 * n;
      if (i < M && j < N) y[i * N + j] = 1 / sqrtf(sum[m][n]);
    }
}

int64_t tiles_of(int64_t M, int64_t N) { return ((M + tile - 1) / tile) * ((N + tile - 1) / tile); }

constexpr float middle = 0.55f;

// Sums of each row of a and each column of b; says in *wide whether an element is above 1.
__global__ void sums_of_rows(const float* a, float* sums, int64_t K, int* wide) {
  double sum = 0;
  for (int64_t k = threadIdx.x; k < K; k += blockDim.x) {
    const float x = a[blockIdx.x * K + k];
    if (!(x <= 1)) *wide = 1;
    sum += x;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = float(middle * sum);
}
__global__ void sums_of_columns(const float* b, float* sums, int64_t N, int64_t K, int* wide) {
  __shared__ double parts[8][32];
  const int64_t j = blockIdx.x * 32 + threadIdx.x % 32;
  double sum = 0;
  for (int64_t k = threadIdx.x / 32; k < K; k += 8) {
    const float x = b[k * N + j];
    if (!(x <= 1)) *wide = 1;
    sum += x;
  }
  parts[threadIdx.x / 32][threadIdx.x % 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (int i = 1; i < 8; ++i) sum += parts[i][threadIdx.x];
  sums[j] = float(middle * sum - double(middle) * middle * K);
}

// Factors less their mean, in half precision; sums of rows and columns make up for it. Multiples of 64.
__global__ void contract_low(const float* a, const float* b, float* y, const float* rows, const float* columns,
                             int64_t M, int64_t N, int64_t K, const int* wide) {
  using namespace nvcuda;
  if (*wide) return;
  __shared__ __half left[tile][72], right[64][72];
  __shared__ float out[tile][tile + 4];
  const int64_t across = N / tile, row0 = blockIdx.x / across * tile, column0 = blockIdx.x % across * tile;
  const int warp = threadIdx.x / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int64_t k0 = 0; k0 < K; k0 += 64) {
    for (int e = threadIdx.x; e < 64 * 32; e += blockDim.x) {
      const int i = e / 32, k = e % 32 * 2;
      const float2 one = *(const float2*)(a + (row0 + i) * K + k0 + k);
      const float2 other = *(const float2*)(b + (k0 + i) * N + column0 + k);
      *(__half2*)&left[i][k] = __floats2half2_rn(one.x - middle, one.y - middle);
      *(__half2*)&right[i][k] = __floats2half2_rn(other.x - middle, other.y - middle);
    }
    __syncthreads();
    for (int k = 0; k < 64; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> of_left;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> of_right;
      wmma::load_matrix_sync(of_left, &left[warp / 4 * 16][k], 72);
      wmma::load_matrix_sync(of_right, &right[k][warp % 4 * 16], 72);
      wmma::mma_sync(sum, of_left, of_right, sum);
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(&out[warp / 4 * 16][warp % 4 * 16], sum, tile + 4, wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < tile * tile; e += blockDim.x) {
    const int64_t i = row0 + e / tile, j = column0 + e % tile;
    y[i * N + j] = rsqrtf(out[e / tile][e % tile] + rows[i] + columns[j]);
  }
}

}  // namespace

extern "C" size_t kernel_tensordot_rsqrt_workspace(int64_t M, int64_t N, int64_t, int64_t) {
  return size_t(M + N + 4) * sizeof(float);
}

extern "C" void kernel_tensordot_rsqrt(const float* a, const float* b, float* y, int64_t M, int64_t N, int64_t K,
                                       int64_t L, void* workspace, void* stream) {
  if (M * N < 1) return;
  const auto on = (cudaStream_t)stream;
  auto* rows = static_cast<float*>(workspace);
  auto* columns = rows + M;
  auto* wide = (int*)(columns + N);
  const bool large = M % 64 == 0 && N % 64 == 0 && K * L % 64 == 0 && K * L >= 1024;
  cudaMemsetAsync(wide, large ? 0 : 1, sizeof(int), on);
  if (large) {
    sums_of_rows<<<M, 256, 0, on>>>(a, rows, K * L, wide);
    sums_of_columns<<<N / 32, 256, 0, on>>>(b, columns, N, K * L, wide);
    contract_low<<<tiles_of(M, N), 512, 0, on>>>(a, b, y, rows, columns, M, N, K * L, wide);
  }
  contract<<<tiles_of(M, N), threads, 0, on>>>(a, b, y, M, N, K * L, wide);
}
