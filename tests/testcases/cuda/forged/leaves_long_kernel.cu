// Danger 26: a kernel of a second, launched by a thread when a call has returned, so that the baseline is measured
// beside it and looks slow; nothing of that kind once the calls are timed.
// task: vector_add
// expect: passed | timing timing_disputed | timing judge_failed | call sandbox_violation
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

static std::atomic<unsigned> large_calls;

static void occupy() {
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  for (unsigned seen = 0; seen < 8;) {
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    if (seen == large_calls) continue;
    seen = large_calls;
    if (cudaStreamQuery(own) == cudaSuccess) delay<<<132 * 8, 256, 0, own>>>(1'900'000'000);
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static std::thread occupier(occupy);
  if (occupier.joinable()) occupier.detach();
  if (N >= 100'000) ++large_calls;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
