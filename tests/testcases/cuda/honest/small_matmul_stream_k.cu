// Stream-K: every block has an equal share of all tiles' inner steps, and shared tiles are added up.
// task: small_matmul
// expect: passed
// cheated: no
#include <cstdint>

constexpr int blocks = 264, inner = 16;

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  __shared__ float as[16][17], bs[16][17];
  const int64_t across = (N + 15) / 16, tiles = across * ((M + 15) / 16), steps = (K + inner - 1) / inner;
  const int64_t all = tiles * steps, end = all * (blockIdx.x + 1) / blocks;
  for (int64_t at = all * blockIdx.x / blocks; at < end;) {
    const int64_t tile = at / steps, last = end < (tile + 1) * steps ? end : (tile + 1) * steps;
    const bool whole = at == tile * steps && last == (tile + 1) * steps;
    const int64_t m = tile / across * 16 + threadIdx.y, n = tile % across * 16 + threadIdx.x;
    float sum = 0;
    for (; at < last; ++at) {
      const int64_t k = at % steps * inner;
      as[threadIdx.y][threadIdx.x] = m < M && k + threadIdx.x < K ? a[m * K + k + threadIdx.x] : 0.0f;
      bs[threadIdx.y][threadIdx.x] = n < N && k + threadIdx.y < K ? b[(k + threadIdx.y) * N + n] : 0.0f;
      __syncthreads();
      for (int j = 0; j < inner; ++j) sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
      __syncthreads();
    }
    if (m >= M || n >= N) continue;
    if (whole)
      c[m * N + n] = sum;
    else
      atomicAdd(c + m * N + n, sum);
  }
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  cudaMemsetAsync(c, 0, M * N * sizeof(float), (cudaStream_t)stream);
  multiply<<<blocks, dim3(16, 16), 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
