#include <cstddef>
#include <cstdint>

// Scores, their softmax, and the averages, with the scores in the workspace.

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
__global__ void score(const float* q, const float* k, float* s, int64_t M, int64_t N, int64_t K,
                      float scale) {
  __shared__ float a_slice[depth][tile + 1], b_slice[depth][tile + 1];
  const int64_t across = (N + tile - 1) / tile;
  const int64_t tiles = across * ((M + tile - 1) / tile), batch = int64_t(blockIdx.x) / tiles;
  const int64_t row0 = int64_t(blockIdx.x) % tiles / across * tile;
  const int64_t column0 = int64_t(blockIdx.x) % tiles % across * tile;
  float sum[4][4] = {};
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int e = threadIdx.x; e < tile * depth; e += threads) {
      const int64_t i = row0 + e / depth, ka = k0 + e % depth;
      a_slice[e % depth][e / depth] = i < M && ka < K ? q[(batch * M + i) * K + ka] : 0;
      const int64_t j = column0 + e / depth, kb = k0 + e % depth;
      b_slice[e % depth][e / depth] = j < N && kb < K ? k[(batch * N + j) * K + kb] : 0;
    }
    __syncthreads();
    accumulate(a_slice, b_slice, sum);
    __syncthreads();
  }
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      const int64_t i = row0 + threadIdx.x / 16 + 16 * m, j = column0 + threadIdx.x % 16 + 16 * n;
      if (i < M && j < N) s[(batch * M + i) * N + j] = scale * sum[m][n];
    }
}

// A block a tile of 64 by 64.
__global__ void average(const float* s, const float* v, float* o, int64_t M, int64_t N, int64_t K) {
  __shared__ float a_slice[depth][tile + 1], b_slice[depth][tile + 1];
  const int64_t across = (N + tile - 1) / tile;
  const int64_t tiles = across * ((M + tile - 1) / tile), batch = int64_t(blockIdx.x) / tiles;
  const int64_t row0 = int64_t(blockIdx.x) % tiles / across * tile;
  const int64_t column0 = int64_t(blockIdx.x) % tiles % across * tile;
  float sum[4][4] = {};
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int e = threadIdx.x; e < tile * depth; e += threads) {
      const int64_t i = row0 + e / depth, ka = k0 + e % depth;
      a_slice[e % depth][e / depth] = i < M && ka < K ? s[(batch * M + i) * K + ka] : 0;
      const int64_t j = column0 + e % tile, kb = k0 + e / tile;
      b_slice[e / tile][e % tile] = j < N && kb < K ? v[(batch * K + kb) * N + j] : 0;
    }
    __syncthreads();
    accumulate(a_slice, b_slice, sum);
    __syncthreads();
  }
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      const int64_t i = row0 + threadIdx.x / 16 + 16 * m, j = column0 + threadIdx.x % 16 + 16 * n;
      if (i < M && j < N) o[(batch * M + i) * N + j] = sum[m][n];
    }
}

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

/// The maximum over the block, for every thread of it.
__device__ float block_max(float value) {
  __shared__ float parts[32];
  for (int reach = 16; reach > 0; reach /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFu, value, reach));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) value = fmaxf(value, parts[warp]);
  __syncthreads();
  return value;
}

// In place, a block a row.
__global__ void softmax_rows(float* s, int64_t rows, int64_t T) {
  for (int64_t i = blockIdx.x; i < rows; i += gridDim.x) {
    float* row = s + i * T;
    float largest = row[0];
    for (int64_t j = threadIdx.x; j < T; j += blockDim.x) largest = fmaxf(largest, row[j]);
    largest = block_max(largest);
    double sum = 0;
    for (int64_t j = threadIdx.x; j < T; j += blockDim.x) sum += row[j] = expf(row[j] - largest);
    const float total = float(block_sum(sum));
    for (int64_t j = threadIdx.x; j < T; j += blockDim.x) row[j] /= total;
  }
}

int64_t tiles_of(int64_t M, int64_t N) {
  return ((M + tile - 1) / tile) * ((N + tile - 1) / tile);
}

}  // namespace

extern "C" size_t kernel_attention_workspace(int64_t B, int64_t S, int64_t T, int64_t) {
  return size_t(B * S * T) * sizeof(float);
}

extern "C" void kernel_attention(const float* q, const float* k, const float* v, float* o, int64_t B,
                                 int64_t S, int64_t T, int64_t D, double scale, void* workspace,
                                 void* stream) {
  if (B * S * T * D < 1) return;
  const auto queue = (cudaStream_t)stream;
  auto* s = static_cast<float*>(workspace);
  score<<<B * tiles_of(S, T), threads, 0, queue>>>(q, k, s, S, T, D, float(scale));
  const int64_t blocks = min(B * S, int64_t{65536});
  softmax_rows<<<blocks, 256, 0, queue>>>(s, B * S, T);
  average<<<B * tiles_of(S, D), threads, 0, queue>>>(s, v, o, S, D, T);
}
