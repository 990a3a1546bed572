// Danger 26: a thread that fills the device whenever no call came for a while, in the hope that the judge measures
// its baseline or itself then.
// task: vector_add
// expect: passed | timing timing_disputed | call sandbox_violation
// at most: 1.2 honest/vector_add.cu
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static __global__ void delay(long long cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {
  }
}

static std::atomic<unsigned> calls;

static void contend() {
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  for (unsigned seen = 0;; seen = calls) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (seen == 0 || seen != calls) continue;
    delay<<<132 * 8, 256, 0, own>>>(300'000);
    cudaStreamSynchronize(own);
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static std::thread contender(contend);
  if (contender.joinable()) contender.detach();
  ++calls;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
