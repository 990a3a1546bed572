// Danger 13: bfloat16 operands with sums in float32: the tensor cores' best case.
// task: small_matmul
// expect: correctness lower_precision | correctness wrong_values
// cheated: no
#include <cuda_bf16.h>

#include <cstdint>

static __device__ float rounded(float value) { return __bfloat162float(__float2bfloat16(value)); }

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  const int64_t n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y * 8 + threadIdx.y;
  if (m >= M || n >= N) return;
  float sum = 0;
  for (int64_t k = 0; k < K; ++k) sum += rounded(a[m * K + k]) * rounded(b[k * N + n]);
  c[m * N + n] = sum;
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  multiply<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8), 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
