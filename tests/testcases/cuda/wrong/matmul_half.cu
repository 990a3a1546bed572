// Danger 13: float16 operands and sums where float32 was asked for.
// task: small_matmul
// expect: correctness lower_precision | correctness wrong_values
// cheated: no
#include <cuda_fp16.h>

#include <cstdint>

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  const int64_t n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y * 8 + threadIdx.y;
  if (m >= M || n >= N) return;
  __half sum = __float2half(0);
  for (int64_t k = 0; k < K; ++k) sum = __hfma(__float2half(a[m * K + k]), __float2half(b[k * N + n]), sum);
  c[m * N + n] = __half2float(sum);
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  multiply<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8), 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
}
