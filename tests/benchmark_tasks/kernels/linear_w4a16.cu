#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr int64_t group = 32;

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

// A warp a group: its 4-bit steps, a byte each, and its scale.
__global__ void quantize(const __half* w, float* scales, int8_t* steps, int64_t N, int64_t K) {
  const int64_t groups = (K + group - 1) / group, warps = int64_t(gridDim.x) * (blockDim.x / 32);
  for (int64_t at = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32; at < N * groups; at += warps) {
    const int64_t j = at / groups, k = at % groups * group + threadIdx.x % 32;
    const float value = k < K ? __half2float(w[j * K + k]) : 0;
    float largest = fabsf(value);
    for (int reach = 16; reach > 0; reach /= 2)
      largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFFu, largest, reach));
    int exponent = 0;
    if (largest > 0) frexpf(largest, &exponent);
    const float scale = fmaxf(ldexpf(1.0f, exponent - 3), 0x1p-14f);
    if (threadIdx.x % 32 == 0) scales[at] = scale;
    if (k < K) steps[j * K + k] = int8_t(fminf(fmaxf(rintf(value / scale), -8.0f), 7.0f));
  }
}

// A block a tile of 64 by 64.
__global__ void linear(const __half* x, const float* scales, const int8_t* steps, const __half* bias,
                       __half* y, int64_t M, int64_t N, int64_t K) {
  __shared__ float a_slice[depth][tile + 1], b_slice[depth][tile + 1];
  const int64_t across = (N + tile - 1) / tile;
  const int64_t groups = (K + group - 1) / group;
  const int64_t row0 = int64_t(blockIdx.x) / across * tile, column0 = int64_t(blockIdx.x) % across * tile;
  float sum[4][4] = {};
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int e = threadIdx.x; e < tile * depth; e += threads) {
      const int64_t i = row0 + e / depth, ka = k0 + e % depth;
      a_slice[e % depth][e / depth] = i < M && ka < K ? __half2float(x[i * K + ka]) : 0;
      const int64_t j = column0 + e / depth, kb = k0 + e % depth;
      b_slice[e % depth][e / depth] =
          j < N && kb < K ? scales[j * groups + kb / group] * steps[j * K + kb] : 0;
    }
    __syncthreads();
    accumulate(a_slice, b_slice, sum);
    __syncthreads();
  }
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      const int64_t i = row0 + threadIdx.x / 16 + 16 * m, j = column0 + threadIdx.x % 16 + 16 * n;
      if (i < M && j < N) y[i * N + j] = __float2half_rn(__half2float(bias[j]) + sum[m][n]);
    }
}

int64_t tiles_of(int64_t M, int64_t N) {
  return ((M + tile - 1) / tile) * ((N + tile - 1) / tile);
}

int64_t groups_of(int64_t N, int64_t K) {
  return N * ((K + group - 1) / group);
}

}  // namespace

extern "C" size_t kernel_linear_w4a16_workspace(int64_t, int64_t N, int64_t K) {
  return size_t(groups_of(N, K)) * sizeof(float) + size_t(N * K);
}

extern "C" void kernel_linear_w4a16(const __half* x, const __half* w, const __half* bias, __half* y,
                                    int64_t M, int64_t N, int64_t K, void* workspace, void* stream) {
  if (M * N * K < 1) return;
  const auto queue = (cudaStream_t)stream;
  auto* scales = static_cast<float*>(workspace);
  auto* steps = reinterpret_cast<int8_t*>(scales + groups_of(N, K));
  const int64_t blocks = min((groups_of(N, K) + 7) / 8, int64_t{65536});
  quantize<<<blocks, 256, 0, queue>>>(w, scales, steps, N, K);
  linear<<<tiles_of(M, N), threads, 0, queue>>>(x, scales, steps, bias, y, M, N, K);
}
