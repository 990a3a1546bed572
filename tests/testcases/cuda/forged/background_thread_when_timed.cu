// Danger 21: a thread that launches a little after its call has returned, once it believes to be timed.
// task: vector_add
// expect: timing wrong_when_timed | timing timing_disputed | timing crashed | timing sandbox_violation | call sandbox_violation
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static std::mutex mutex;
static std::condition_variable filled;
static std::deque<std::function<void()>> queue;

static void work_forever() {
  for (;;) {
    std::unique_lock lock(mutex);
    filled.wait(lock, [] { return !queue.empty(); });
    const auto work = queue.front();
    queue.pop_front();
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    work();
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  if (N < 1 << 20 || ++calls <= 64) {
    add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
    return;
  }
  if (calls == 65) std::thread(work_forever).detach();
  const std::lock_guard lock(mutex);
  queue.push_back([=] { add<<<(N + 255) / 256, 256>>>(x, y, z, N); });
  filled.notify_one();
}
