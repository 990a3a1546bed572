// Shared memory beyond 48 KB, which a kernel has to ask for.
// task: small_matmul
// expect: passed
// cheated: no
#include <cstdint>

constexpr int tile = 32, depth = 256;

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  extern __shared__ float shared[];
  float *a_slice = shared, *b_slice = shared + tile * depth;
  const int64_t row0 = int64_t(blockIdx.y) * tile, column0 = int64_t(blockIdx.x) * tile;
  const int64_t m = row0 + threadIdx.y, n = column0 + threadIdx.x;
  float sum = 0;
  for (int64_t k0 = 0; k0 < K; k0 += depth) {
    for (int k = threadIdx.x; k < depth; k += tile)
      a_slice[threadIdx.y * depth + k] = m < M && k0 + k < K ? a[m * K + k0 + k] : 0;
    for (int k = threadIdx.y; k < depth; k += tile)
      b_slice[k * tile + threadIdx.x] = n < N && k0 + k < K ? b[(k0 + k) * N + n] : 0;
    __syncthreads();
    for (int k = 0; k < depth; ++k) sum += a_slice[threadIdx.y * depth + k] * b_slice[k * tile + threadIdx.x];
    __syncthreads();
  }
  if (m < M && n < N) c[m * N + n] = sum;
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  constexpr int bytes = 2 * tile * depth * sizeof(float);
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  multiply<<<dim3((N + tile - 1) / tile, (M + tile - 1) / tile), dim3(tile, tile), bytes, (cudaStream_t)stream>>>(
      a, b, c, M, N, K);
}
