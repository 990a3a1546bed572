// Atomic additions in any order: not the same bits twice, always within the tolerance.
// task: small_matmul
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  const int64_t n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y * 8 + threadIdx.y;
  if (m >= M || n >= N) return;
  const int64_t part = (K + gridDim.z - 1) / gridDim.z, begin = blockIdx.z * part, end = min(K, begin + part);
  float sum = 0;
  for (int64_t k = begin; k < end; ++k) sum += a[m * K + k] * b[k * N + n];
  atomicAdd(c + m * N + n, sum);
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  cudaMemsetAsync(c, 0, M * N * sizeof(float), (cudaStream_t)stream);
  multiply<<<dim3((N + 31) / 32, (M + 7) / 8, 8), dim3(32, 8), 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
