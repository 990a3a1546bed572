// A background thread computes again and again whatever it was ever called with, between the windows too, and a call
// whose three addresses it knows returns at once. Where addresses shift, every call is new to it and honest.
// task: vector_add
// expect: timing wrong_when_timed | timing timing_disputed | correctness wrong_values | call sandbox_violation | call crashed | timing crashed | passed | timing out_of_bounds_write
// at most: 1.2 honest/vector_add.cu
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

using Call = std::tuple<const float*, const float*, float*, int64_t>;
static std::set<Call> known;
static std::mutex mutex;

static void work_forever() {
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  for (;;) {
    {
      const std::lock_guard lock(mutex);
      for (const auto& [x, y, z, N] : known) add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
    }
    cudaStreamSynchronize(own);
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  if (N > 1 << 20 && ++calls > 64) {
    if (calls == 65) std::thread(work_forever).detach();
    const std::lock_guard lock(mutex);
    if (!known.insert({x, y, z, N}).second) return;
  }
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
