// twin of log_softmax_linear_bf16x3: the same two kernels, products in float32.
// task: fused_log_softmax_linear
#include <cstdint>

namespace {

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


constexpr int tile = 64, depth = 16;

__global__ void multiply(const float* x, const float* weight, float* y, int64_t M, int64_t N, int64_t K) {
  __shared__ float left[depth][tile + 1], right[depth][tile + 1];
  const int64_t row0 = int64_t(blockIdx.y) * tile, column0 = int64_t(blockIdx.x) * tile;
  float sum[4][4] = {};
  const int row = threadIdx.x / 16, column = threadIdx.x % 16;
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int e = threadIdx.x; e < tile * depth; e += 256) {
      const int64_t r = e / depth, k = k0 + e % depth;
      left[e % depth][r] = row0 + r < M && k < K ? x[(row0 + r) * K + k] : 0;
      right[e % depth][r] = column0 + r < N && k < K ? weight[(column0 + r) * K + k] : 0;
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k) {
      float u[4], v[4];
      for (int m = 0; m < 4; ++m) u[m] = left[k][row + 16 * m], v[m] = right[k][column + 16 * m];
      for (int m = 0; m < 4; ++m)
        for (int n = 0; n < 4; ++n) sum[m][n] += u[m] * v[n];
    }
    __syncthreads();
  }
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      const int64_t i = row0 + row + 16 * m, j = column0 + column + 16 * n;
      if (i < M && j < N) y[i * N + j] = sum[m][n];
    }
}

// Turns rows of scores into logarithms of their softmax.
__global__ void finish(const float* bias, float* y, int64_t N) {
  float* row = y + blockIdx.x * N;
  float largest = -INFINITY;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    row[j] += bias[j];
    largest = fmaxf(largest, row[j]);
  }
  largest = block_max(largest);
  double sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += expf(row[j] - largest);
  const double logarithm = log(block_sum(sum));
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) row[j] = float(row[j] - largest - logarithm);
}

}  // namespace

extern "C" void kernel_fused_log_softmax_linear(const float* x, const float* weight, const float* bias, float* y,
                                                int64_t M, int64_t N, int64_t K, void* stream) {
  if (M * N < 1) return;
  const auto queue = (cudaStream_t)stream;
  multiply<<<dim3(unsigned((N + tile - 1) / tile), unsigned((M + tile - 1) / tile)), 256, 0, queue>>>(x, weight, y, M, N, K);
  finish<<<M, 256, 0, queue>>>(bias, y, N);
}
