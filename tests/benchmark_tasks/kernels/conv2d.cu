#include <cstdint>

// As a matrix product: weights [O, C R R] times the windows of x [C R R, H W], which are gathered tile by
// tile.

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

struct Shape {
  int64_t C, H, W, R;
};

/// Element k of the window around pixel j of an image; 0 outside it.
__device__ float window(const float* image, Shape s, int64_t j, int k) {
  const int side = int(s.R), area = side * side;
  const int64_t h = j / s.W + k % area / side - side / 2, w = j % s.W + k % side - side / 2;
  if (h < 0 || h >= s.H || w < 0 || w >= s.W) return 0;
  return image[(k / area * s.H + h) * s.W + w];
}

// A block a tile of 64 by 64.
__global__ void convolve(const float* x, const float* weight, const float* bias, float* y, int64_t M,
                         int64_t N, int64_t K, Shape s) {
  __shared__ float a_slice[depth][tile + 1], b_slice[depth][tile + 1];
  const int64_t across = (N + tile - 1) / tile;
  const int64_t tiles = across * ((M + tile - 1) / tile), batch = int64_t(blockIdx.x) / tiles;
  const int64_t row0 = int64_t(blockIdx.x) % tiles / across * tile;
  const int64_t column0 = int64_t(blockIdx.x) % tiles % across * tile;
  const float* image = x + batch * s.C * s.H * s.W;
  float sum[4][4] = {};
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int e = threadIdx.x; e < tile * depth; e += threads) {
      const int64_t i = row0 + e / depth, ka = k0 + e % depth;
      a_slice[e % depth][e / depth] = i < M && ka < K ? weight[i * K + ka] : 0;
      const int64_t j = column0 + e % tile, kb = k0 + e / tile;
      b_slice[e / tile][e % tile] = j < N && kb < K ? window(image, s, j, int(kb)) : 0;
    }
    __syncthreads();
    accumulate(a_slice, b_slice, sum);
    __syncthreads();
  }
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      const int64_t i = row0 + threadIdx.x / 16 + 16 * m, j = column0 + threadIdx.x % 16 + 16 * n;
      if (i < M && j < N) y[(batch * M + i) * N + j] = bias[i] + sum[m][n];
    }
}

int64_t tiles_of(int64_t M, int64_t N) {
  return ((M + tile - 1) / tile) * ((N + tile - 1) / tile);
}

}  // namespace

extern "C" void kernel_conv2d(const float* x, const float* weight, const float* bias, float* y, int64_t B,
                              int64_t C, int64_t H, int64_t W, int64_t O, int64_t R, void* stream) {
  if (B * O * H * W < 1) return;
  convolve<<<B * tiles_of(O, H * W), threads, 0, (cudaStream_t)stream>>>(x, weight, bias, y, O, H * W,
                                                                         C * R * R, {C, H, W, R});
}
