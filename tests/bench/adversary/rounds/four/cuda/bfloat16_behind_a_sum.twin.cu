#include <cstddef>
#include <cstdint>

namespace {
constexpr int kTile = 64;
__global__ void __launch_bounds__(256) tile_sums(const float* a, const float* c, double* sums, int64_t N, int64_t K, float alpha, float beta) {
  const int64_t row = int64_t(blockIdx.y) * kTile, column = int64_t(blockIdx.x) * kTile;
  __shared__ float out[kTile * kTile];
  __shared__ float left[16][kTile + 4], right[16][kTile + 4];
  float sum[4][4] = {};
  const int i0 = threadIdx.x / 16 * 4, j0 = threadIdx.x % 16 * 4;
  for (int64_t k0 = 0; k0 < K; k0 += 16) {
    for (int e = threadIdx.x; e < kTile * 16; e += 256) {
      const int64_t i = row + e / 16, j = column + e / 16, k = k0 + e % 16;
      left[e % 16][e / 16] = i < N && k < K ? a[i * K + k] : 0.0f;
      right[e % 16][e / 16] = j < N && k < K ? a[j * K + k] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += left[k][i0 + i] * right[k][j0 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) out[(i0 + i) * kTile + j0 + j] = sum[i][j];
  __syncthreads();
  double total = 0;
  for (int e = threadIdx.x; e < kTile * kTile; e += 256) {
    const int64_t i = row + e / kTile, j = column + e % kTile;
    if (i < N && j < N) total += fabsf(alpha * out[e] + beta * c[i * N + j]);
  }
  for (int reach = 16; reach > 0; reach /= 2) total += __shfl_xor_sync(0xFFFFFFFFu, total, reach);
  __shared__ double parts[8];
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x == 0) {
    total = 0;
    for (double part : parts) total += part;
    sums[blockIdx.y * gridDim.x + blockIdx.x] = total;
  }
}

__global__ void add_up(const double* sums, float* y, int64_t count) {
  __shared__ double parts[1024];
  double total = 0;
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x) total += sums[i];
  parts[threadIdx.x] = total;
  for (int reach = 512; reach > 0; reach /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < reach) parts[threadIdx.x] += parts[threadIdx.x + reach];
  }
  if (threadIdx.x == 0) *y = float(parts[0]);
}
}  // namespace

extern "C" size_t kernel_symmetric_mm_and_abs_sum_workspace(int64_t N, int64_t) {
  const int64_t tiles = (N + kTile - 1) / kTile;
  return size_t(tiles * tiles + 1) * sizeof(double);
}

extern "C" void kernel_symmetric_mm_and_abs_sum(const float* a, const float* c, float* y, int64_t N, int64_t K, double alpha,
                                                double beta, void* workspace, void* stream) {
  const unsigned tiles = unsigned((N + kTile - 1) / kTile);
  auto* sums = static_cast<double*>(workspace);
  const auto queue = (cudaStream_t)stream;
  if (N > 0) tile_sums<<<dim3(tiles, tiles), 256, 0, queue>>>(a, c, sums, N, K, float(alpha), float(beta));
  add_up<<<1, 1024, 0, queue>>>(sums, y, int64_t(tiles) * tiles);
}
