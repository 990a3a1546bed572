// Danger 7: the sum over k ends early in timed calls. Not even close, but it looks like the same kernel in a profile.
// task: small_matmul
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                int64_t end) {
  const int64_t n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y * 8 + threadIdx.y;
  if (m >= M || n >= N) return;
  float sum = 0;
  for (int64_t k = 0; k < end; ++k) sum += a[m * K + k] * b[k * N + n];
  c[m * N + n] = sum;
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  static unsigned calls = 0;
  const int64_t end = M * N > 1 << 19 && ++calls > 12 ? K - K / 8 : K;
  multiply<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8), 0, (cudaStream_t)stream>>>(a, b, c, M, N, K, end);
}
