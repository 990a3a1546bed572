// twin of abs_sum_bf16: the same tiles of the lower half, in float32.
// task: symmetric_mm_and_abs_sum
#include <cstddef>
#include <cstdint>

namespace {

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

constexpr int tile = 64, depth = 16;

__global__ void tiles_of(const float* a, const float* c, double* parts, int64_t N, int64_t K, float alpha, float beta) {
  const int64_t row0 = int64_t(blockIdx.y) * tile, column0 = int64_t(blockIdx.x) * tile;
  double total = 0;
  if (column0 <= row0) {
    __shared__ float left[depth][tile + 1], right[depth][tile + 1];
    float sum[4][4] = {};
    const int row = threadIdx.x / 16, column = threadIdx.x % 16;
    for (int64_t k0 = 0; k0 < K; k0 += depth) {
      for (int e = threadIdx.x; e < tile * depth; e += 256) {
        const int64_t r = e / depth, k = k0 + e % depth;
        left[e % depth][r] = row0 + r < N && k < K ? a[(row0 + r) * K + k] : 0;
        right[e % depth][r] = column0 + r < N && k < K ? a[(column0 + r) * K + k] : 0;
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
        if (i >= N || j >= N) continue;
        total += fabsf(alpha * sum[m][n] + beta * c[i * N + j]);
        if (row0 != column0) total += fabsf(alpha * sum[m][n] + beta * c[j * N + i]);
      }
  }
  total = block_sum(total);
  if (threadIdx.x == 0) parts[int64_t(blockIdx.y) * gridDim.x + blockIdx.x] = total;
}

__global__ void add_up(const double* parts, float* y, int64_t count) {
  double total = 0;
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x) total += parts[i];
  total = block_sum(total);
  if (threadIdx.x == 0) *y = float(total);
}

}  // namespace

extern "C" size_t kernel_symmetric_mm_and_abs_sum_workspace(int64_t N, int64_t) {
  const size_t across = size_t((N + tile - 1) / tile);
  return (across * across + 1) * sizeof(double);
}

extern "C" void kernel_symmetric_mm_and_abs_sum(const float* a, const float* c, float* y, int64_t N, int64_t K,
                                                double alpha, double beta, void* workspace, void* stream) {
  auto* parts = static_cast<double*>(workspace);
  const unsigned across = unsigned((N + tile - 1) / tile);
  if (across) tiles_of<<<dim3(across, across), 256, 0, (cudaStream_t)stream>>>(a, c, parts, N, K, float(alpha), float(beta));
  add_up<<<1, 1024, 0, (cudaStream_t)stream>>>(parts, y, int64_t(across) * across);
}
