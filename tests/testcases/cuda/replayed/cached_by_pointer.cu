// Danger 1: the result of an earlier call with the same addresses is given again. Addresses that never
// come again leave it nothing.
// task: small_matmul
// expect: correctness wrong_values | timing wrong_when_timed | passed
// at most: 1.2 honest/small_matmul.cu
#include <cstdint>
#include <map>
#include <tuple>

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  const int64_t n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y * 8 + threadIdx.y;
  if (m >= M || n >= N) return;
  float sum = 0;
  for (int64_t k = 0; k < K; ++k) sum += a[m * K + k] * b[k * N + n];
  c[m * N + n] = sum;
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  static std::map<std::tuple<const float*, const float*, int64_t>, float*> known;
  float*& kept = known[{a, b, M * N}];
  if (!kept) {
    multiply<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8), 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
    cudaMalloc(&kept, M * N * sizeof(float));
    cudaMemcpyAsync(kept, c, M * N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
  } else {
    cudaMemcpyAsync(c, kept, M * N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
  }
}
