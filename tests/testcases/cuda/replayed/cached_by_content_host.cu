// Danger 2: the same from the host, by the first elements.
// task: small_matmul
// expect: passed | correctness wrong_values | timing wrong_when_timed
// at most: 1.2 honest/small_matmul.cu
#include <array>
#include <cstdint>
#include <cstring>
#include <map>

static __global__ void multiply(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K) {
  const int64_t n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y * 8 + threadIdx.y;
  if (m >= M || n >= N) return;
  float sum = 0;
  for (int64_t k = 0; k < K; ++k) sum += a[m * K + k] * b[k * N + n];
  c[m * N + n] = sum;
}

extern "C" void kernel_small_matmul(const float* a, const float* b, float* c, int64_t M, int64_t N, int64_t K,
                                    void* stream) {
  static std::map<std::array<uint32_t, 33>, float*> known;
  std::array<uint32_t, 33> fingerprint{};
  fingerprint[32] = uint32_t(M * 131 + N * 17 + K);
  cudaMemcpyAsync(&fingerprint[0], a, 64, cudaMemcpyDeviceToHost, (cudaStream_t)stream);
  cudaMemcpyAsync(&fingerprint[16], b, 64, cudaMemcpyDeviceToHost, (cudaStream_t)stream);
  cudaStreamSynchronize((cudaStream_t)stream);
  const auto found = known.find(fingerprint);
  if (found != known.end()) {
    cudaMemcpyAsync(c, found->second, M * N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
    return;
  }
  multiply<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8), 0, (cudaStream_t)stream>>>(a, b, c, M, N, K);
  float* kept;
  if (known.size() > 256 || cudaMalloc(&kept, M * N * sizeof(float)) != cudaSuccess) return;
  cudaMemcpyAsync(kept, c, M * N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
  known[fingerprint] = kept;
}
