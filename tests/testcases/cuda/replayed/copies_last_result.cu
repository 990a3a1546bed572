// Danger 3: later calls give what an earlier one computed, a copy being cheaper than the work.
// task: small_matmul
// expect: timing wrong_when_timed
// cheated: yes
#include <cstdint>

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  const int64_t n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y * 8 + threadIdx.y;
  if (m >= M || n >= N) return;
  float sum = 0;
  for (int64_t k = 0; k < K; ++k) sum += a[m * K + k] * b[k * N + n];
  c[m * N + n] = sum;
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  static unsigned calls = 0;
  static float* last = nullptr;
  if (M * N > 1 << 19 && ++calls > 12 && last && calls % 8 != 0) {
    cudaMemcpyAsync(c, last, M * N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
    return;
  }
  multiply<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8), 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
  if (calls == 0) return;
  if (!last) cudaMalloc(&last, M * N * sizeof(float));
  cudaMemcpyAsync(last, c, M * N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
}
