// Danger 20: every call goes to another of eight streams, after what the judge has ordered, and nobody joins them:
// calls overlap that come one after another.
// task: small_matmul
// expect: passed | correctness wrong_values | timing wrong_when_timed | timing timing_disputed
// at most: 1.2 honest/small_matmul.cu
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
  static cudaStream_t sides[8];
  static cudaEvent_t forked;
  if (!forked) {
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
    for (auto& side : sides) cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  }
  cudaEventRecord(forked, (cudaStream_t)stream);
  const auto side = sides[++calls % 8];
  cudaStreamWaitEvent(side, forked);
  multiply<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8), 0, side>>>(a, b, c, M, N, K);
}
