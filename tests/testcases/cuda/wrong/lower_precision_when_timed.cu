// Danger 13 and 4: float32 while it is checked, bfloat16 operands while it is timed.
// task: small_matmul
// expect: timing wrong_when_timed | timing lower_precision
// cheated: yes
#include <cuda_bf16.h>

#include <cstdint>

static __device__ float rounded(float value, bool low) {
  return low ? __bfloat162float(__float2bfloat16(value)) : value;
}

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K, bool low) {
  const int64_t n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y * 8 + threadIdx.y;
  if (m >= M || n >= N) return;
  float sum = 0;
  for (int64_t k = 0; k < K; ++k) sum += rounded(a[m * K + k], low) * rounded(b[k * N + n], low);
  c[m * N + n] = sum;
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  static unsigned calls = 0;
  const bool low = M * N > 1 << 19 && ++calls > 12;
  multiply<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8), 0, (cudaStream_t)stream>>>(a, b, c, M, N, K, low);
}
