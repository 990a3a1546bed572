#include <cstddef>
#include <cstdint>

namespace {

constexpr int tile = 64, depth = 16, threads = 256;  // depth in words of four steps

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

/// Words of four 8-bit steps in a row, the last one padded with zeros.
__host__ __device__ int64_t words_of(int64_t K) {
  return (K + 3) / 4;
}

// A block a row: its scale, and its steps, four to a word.
__global__ void quantize(const float* x, float* scales, int32_t* steps, int64_t rows, int64_t K) {
  const int64_t words = words_of(K);
  for (int64_t i = blockIdx.x; i < rows; i += gridDim.x) {
    const float* row = x + i * K;
    float largest = 0;
    for (int64_t k = threadIdx.x; k < K; k += blockDim.x) largest = fmaxf(largest, fabsf(row[k]));
    largest = block_max(largest);
    int exponent = 0;
    if (largest > 0) frexpf(largest, &exponent);
    const float scale = fmaxf(ldexpf(1.0f, exponent - 7), 0x1p-40f);
    if (threadIdx.x == 0) scales[i] = scale;
    for (int64_t word = threadIdx.x; word < words; word += blockDim.x) {
      uint32_t packed = 0;
      for (int part = 0; part < 4 && word * 4 + part < K; ++part) {
        const float step = fminf(fmaxf(rintf(row[word * 4 + part] / scale), -127.0f), 127.0f);
        packed |= uint32_t(uint8_t(int8_t(step))) << (8 * part);
      }
      steps[i * words + word] = int32_t(packed);
    }
  }
}

// A block a tile of 64 by 64, a thread 4 by 4 elements, 16 apart; K in words.
__global__ void multiply(const int32_t* x, const int32_t* w, const float* sx, const float* sw, float* y,
                         int64_t M, int64_t N, int64_t K) {
  __shared__ int32_t x_slice[depth][tile + 1], w_slice[depth][tile + 1];
  const int64_t across = (N + tile - 1) / tile;
  const int64_t row0 = int64_t(blockIdx.x) / across * tile, column0 = int64_t(blockIdx.x) % across * tile;
  const int row = threadIdx.x / 16, column = threadIdx.x % 16;
  int32_t sum[4][4] = {};
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int e = threadIdx.x; e < tile * depth; e += threads) {
      const int64_t i = row0 + e / depth, j = column0 + e / depth, k = k0 + e % depth;
      x_slice[e % depth][e / depth] = i < M && k < K ? x[i * K + k] : 0;
      w_slice[e % depth][e / depth] = j < N && k < K ? w[j * K + k] : 0;
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k)
      for (int m = 0; m < 4; ++m)
        for (int n = 0; n < 4; ++n)
          sum[m][n] = __dp4a(x_slice[k][row + 16 * m], w_slice[k][column + 16 * n], sum[m][n]);
    __syncthreads();
  }
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 4; ++n) {
      const int64_t i = row0 + row + 16 * m, j = column0 + column + 16 * n;
      if (i < M && j < N) y[i * N + j] = float(sum[m][n]) * sx[i] * sw[j];
    }
}

int64_t tiles_of(int64_t M, int64_t N) {
  return ((M + tile - 1) / tile) * ((N + tile - 1) / tile);
}

}  // namespace

extern "C" size_t kernel_matmul_w8a8_workspace(int64_t M, int64_t N, int64_t K) {
  return size_t((M + N) * (words_of(K) + 1)) * 4;
}

extern "C" void kernel_matmul_w8a8(const float* x, const float* w, float* y, int64_t M, int64_t N, int64_t K,
                                   void* workspace, void* stream) {
  if (M * N < 1) return;
  const auto queue = (cudaStream_t)stream;
  auto* sx = static_cast<float*>(workspace);
  auto* sw = sx + M;
  auto* qx = reinterpret_cast<int32_t*>(sw + N);
  auto* qw = qx + M * words_of(K);
  const int64_t blocks = min(M, int64_t{65536});
  quantize<<<blocks, 256, 0, queue>>>(x, sx, qx, M, K);
  const int64_t rows = min(N, int64_t{65536});
  quantize<<<rows, 256, 0, queue>>>(w, sw, qw, N, K);
  multiply<<<tiles_of(M, N), threads, 0, queue>>>(qx, qw, sx, sw, y, M, N, words_of(K));
}
