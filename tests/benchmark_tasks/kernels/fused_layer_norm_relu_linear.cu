#include <cstddef>
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

// A block a row.
__global__ void normalize(const float* x, const float* gamma, const float* beta, float* normed, int64_t M,
                          int64_t K, double eps) {
  for (int64_t i = blockIdx.x; i < M; i += gridDim.x) {
    const float* row = x + i * K;
    double sum = 0, squares = 0;
    for (int64_t k = threadIdx.x; k < K; k += blockDim.x) sum += row[k];
    const double mean = block_sum(sum) / double(K);
    for (int64_t k = threadIdx.x; k < K; k += blockDim.x) squares += (row[k] - mean) * (row[k] - mean);
    const double inverse = 1 / sqrt(block_sum(squares) / double(K) + eps);
    for (int64_t k = threadIdx.x; k < K; k += blockDim.x) {
      const float n = gamma[k] * float((row[k] - mean) * inverse) + beta[k];
      normed[i * K + k] = n < 0 ? 0 : n;
    }
  }
}

// A block a tile of 64 by 64.
__global__ void linear(const float* x, const float* weight, const float* bias, float* y, int64_t M, int64_t N,
                       int64_t K) {
  __shared__ float a_slice[depth][tile + 1], b_slice[depth][tile + 1];
  const int64_t across = (N + tile - 1) / tile;
  const int64_t row0 = int64_t(blockIdx.x) / across * tile, column0 = int64_t(blockIdx.x) % across * tile;
  float sum[4][4] = {};
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int e = threadIdx.x; e < tile * depth; e += threads) {
      const int64_t i = row0 + e / depth, ka = k0 + e % depth;
      a_slice[e % depth][e / depth] = i < M && ka < K ? x[i * K + ka] : 0;
      const int64_t j = column0 + e / depth, kb = k0 + e % depth;
      b_slice[e % depth][e / depth] = j < N && kb < K ? weight[j * K + kb] : 0;
    }
    __syncthreads();
    accumulate(a_slice, b_slice, sum);
    __syncthreads();
  }
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      const int64_t i = row0 + threadIdx.x / 16 + 16 * m, j = column0 + threadIdx.x % 16 + 16 * n;
      if (i < M && j < N) y[i * N + j] = bias[j] + sum[m][n];
    }
}

int64_t tiles_of(int64_t M, int64_t N) {
  return ((M + tile - 1) / tile) * ((N + tile - 1) / tile);
}

}  // namespace

extern "C" size_t kernel_fused_layer_norm_relu_linear_workspace(int64_t M, int64_t, int64_t K) {
  return size_t(M * K) * sizeof(float);
}

extern "C" void kernel_fused_layer_norm_relu_linear(const float* x, const float* gamma, const float* beta,
                                                    const float* weight, const float* bias, float* y,
                                                    int64_t M, int64_t N, int64_t K, double eps,
                                                    void* workspace, void* stream) {
  if (M * N < 1) return;
  const auto queue = (cudaStream_t)stream;
  auto* normed = static_cast<float*>(workspace);
  const int64_t blocks = min(M, int64_t{65536});
  normalize<<<blocks, 256, 0, queue>>>(x, gamma, beta, normed, M, K, eps);
  linear<<<tiles_of(M, N), threads, 0, queue>>>(normed, weight, bias, y, M, N, K);
}
